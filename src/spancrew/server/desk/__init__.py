"""The only way from requests to campaigns.

The desk holds campaigns in memory, in step with their journals; whoever wants to read or change
one waits in its queue, and what was changed is on the disk before anybody is answered.
"""
