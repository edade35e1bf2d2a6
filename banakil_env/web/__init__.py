"""Play, watch and study in a browser: `banakil serve`. See docs/playing.md.

| file | question |
|---|---|
| `protocol` | the requests that are allowed, and their shape |
| `views` | the view of a seat |
| `table` | a table: its game, its seats' keys, the pages that wait for news |
| `tables` | the tables of a server, which are removed for new ones, and how they survive a restart |
| `journal` | a table's file, to which a line is added whole or not at all |
| `turns` | the use of the processor |
| `studies` | game records to look through, and what players say about them |
| `library` | the records that are offered |
| `sitters` | the players that a page can name |
| `security` | the requests that are refused before they are read |
| `connections` | the connections that are kept open |
| `server` | the web application and its addresses |
| `page/` | what the browser loads: HTML, style and ES modules |
"""
