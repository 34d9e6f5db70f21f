"""The only way from requests to campaigns.

The desk holds campaigns in memory, in step with their journals; who wants to read or change one
waits in its queue, and a change is on the disk before anybody gets an answer.
"""
