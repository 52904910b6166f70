"""Items of souza2020: `index` lists them; each other module makes one group."""
