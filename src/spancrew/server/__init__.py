"""The HTTP API, sessions and roles, live updates and pages.

May import simulate, formats, stores, report and what lies below.
"""
