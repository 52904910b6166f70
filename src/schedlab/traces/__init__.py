"""From raw logs to pieces: archive, SWF, cleaning with a ledger, splitting."""
