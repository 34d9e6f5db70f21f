"""How a server starts: options, sockets, processes, the application.

Nothing else in the server imports it; the command line uses what is listed here.
"""

from spancrew.server.pages.demo import DemoDoor, DemoNow
from spancrew.server.start.serve import StartedServer, StartOptions, run_server

__all__ = ["DemoDoor", "DemoNow", "StartOptions", "StartedServer", "run_server"]
