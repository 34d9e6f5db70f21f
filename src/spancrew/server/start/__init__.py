"""How a server starts: settings, sockets, processes, the application."""
