"""Play, watch and study in a browser: `banakil serve`. See docs/playing.md.

| file | question |
|---|---|
| `protocol` | what may be asked for, in which shape? |
| `views` | what is a seat sent? |
| `table` | a table: its game, its seats' keys, who waits for news |
| `tables` | which tables are there, and how do they outlive the server? |
| `studies` | game records that are looked through, and what players say of them |
| `sitters` | which players may be named by a page? |
| `security` | which requests are refused before they are read? |
| `server` | which address leads where? |
| `page/` | what the browser loads: HTML, style and ES modules |
"""
