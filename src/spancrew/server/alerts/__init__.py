"""Alerts: what those who run a campaign should look at, before somebody complains."""
