"""The crowd's joint answer with its confidence: majority vote, span vote, worker models.

May import metrics, core and errors.
"""
