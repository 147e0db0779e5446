/** Preloaded into a program: what it links replaces what was there, so that everybody comes first. */
import fs from "node:fs";
import { syncBuiltinESMExports } from "node:module";

fs.linkSync = (existing, path) => fs.renameSync(existing, path);
syncBuiltinESMExports();
