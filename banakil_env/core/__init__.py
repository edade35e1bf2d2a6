"""Game-independent code: compiling, random numbers, masks, loops over states, fields of records, actions, `Game`."""
