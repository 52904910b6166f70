"""Items of the arena: `index` lists them; the other module makes them."""
