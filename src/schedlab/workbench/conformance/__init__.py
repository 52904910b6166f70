"""A conformance kit: small workloads with the exact starts of each rule, for any simulator."""
