"""When the crowd's word is trusted and when the expert is asked.

May import consensus, policies and what lies below.
"""
