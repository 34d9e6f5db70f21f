"""Who is asked next: interchangeable selection policies over the standings.

May import metrics, core and errors.
"""
