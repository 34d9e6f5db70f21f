"""Who takes part: people, their sessions, links and passwords, and the list of campaigns.

All of it is in tables beside the journals and can be erased. Guides and webhooks are kept here.
"""
