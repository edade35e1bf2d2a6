// The page of a server: `#/` the lobby, `#/seat/KEY` a table, `#/watch` several, `#/study` and `#/study/ID/AT` a study.

import { openPages } from "./pages.js";
import { lobby } from "./lobby.js";
import { play } from "./play.js";
import { study } from "./study.js";
import { watch } from "./watch.js";

openPages({ "": lobby, seat: play, study, watch });
