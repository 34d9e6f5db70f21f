"""Bridges to other services."""
