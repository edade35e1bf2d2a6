// The page without a server: the lobby, a table, and several tables at once.

import { openPages } from "./pages.js";
import { setDecks } from "./cards.js";
import { lobby } from "./lobby.js";
import { play } from "./play.js";
import { watch } from "./watch.js";

setDecks("#", "#four-");
openPages({ "": lobby, seat: play, watch });
