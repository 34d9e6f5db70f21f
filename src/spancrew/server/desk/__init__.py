"""The only way from requests to campaigns: turns of the journal."""
