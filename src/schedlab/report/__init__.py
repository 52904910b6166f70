"""The report: computed and published values on self-contained pages."""
