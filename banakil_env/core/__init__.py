"""Parts that no game is named in: compiling, the generator, masks, loops over states, fields, actions, `Game`."""
