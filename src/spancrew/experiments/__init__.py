"""The paper's tables and figures, golden results, effect on models.

May import simulate, formats, stores, report and what lies below.
"""
