"""Items of legrand2018: `index` lists them; each other module makes one group."""
