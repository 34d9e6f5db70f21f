"""Webhooks: events of a journal sent to other programs."""
