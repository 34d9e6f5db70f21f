"""The one machine: plan, events, state, decisions and the ledger.

May import feedback, augment and what lies below; does no I/O itself.
"""
