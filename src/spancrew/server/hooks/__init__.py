"""Webhooks: events of a journal sent to other programs, signed and in order.

How far each receiver is, the directory of ``people`` keeps; this only delivers.
"""
