/** Preloaded into a program: nothing can be watched, so that it polls. */
import fs from "node:fs";
import { syncBuiltinESMExports } from "node:module";

fs.watch = () => {
  throw Object.assign(new Error("no watch is to be had"), { code: "EMFILE" });
};
syncBuiltinESMExports();
