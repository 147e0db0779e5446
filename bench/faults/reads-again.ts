/** Preloaded into a program: each file that it opens to read was read ten times already. */
import fs from "node:fs";

const { openSync } = fs;

fs.openSync = (path, flags, mode) => {
  if (String(path).endsWith(".request.json")) {
    for (let time = 0; time < 10; time += 1) JSON.parse(fs.readFileSync(path, "utf8"));
  }
  return openSync(path, flags, mode);
};
