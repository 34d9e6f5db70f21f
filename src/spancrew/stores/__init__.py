"""Where the journal of a campaign is kept: memory, SQLite, PostgreSQL.

May import campaign, crowds and what lies below.
"""
