"""A served campaign under everything at once: people, backups, webhooks, a wrong clock, and kills.

``tests/server/test_kill.py`` runs it for a few kills, ``python -m tools.kills`` for many.
"""
