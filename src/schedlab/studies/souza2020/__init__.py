"""ASA – The Adaptive Scheduling Architecture (HPDC 2020)."""
