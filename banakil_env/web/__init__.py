"""Play, watch and study in a browser: `banakil serve`. See docs/playing.md.

| file | content |
|---|---|
| `protocol` | the requests that are allowed, and their form |
| `views` | the view of a seat |
| `table` | a table: its game, the keys of its seats, the pages that follow it |
| `tables` | the tables of a server: how they are replaced by new ones and survive a restart |
| `journal` | a table's file, to which lines are appended whole or not at all |
| `turns` | the use of the processor |
| `studies` | game records to look through, and the opinions of players about them |
| `library` | the list of records that can be studied |
| `sitters` | the players that a page can name |
| `security` | refuses forbidden requests before they are read |
| `connections` | limits the open connections |
| `server` | the web application and its addresses |
| `page/` | files for the browser: HTML, style and ES modules |
"""
