"""Contract tests that a third-party policy, consensus method or store can inherit.

May import everything below cli.
"""
