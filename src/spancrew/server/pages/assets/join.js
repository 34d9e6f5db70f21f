// The page before the work: the instructions, as workers will see them.

import { $ } from "./dom.js";
import { prose } from "./prose.js";

const told = $("#instructions");
if (told) $("#prose").replaceChildren(prose(JSON.parse(told.textContent)));
