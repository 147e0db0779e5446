/** The least that lists what waits: reads and parses every request in the directory that it is given, and counts. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

const directory = process.argv[2] ?? "";
const requests = readdirSync(directory)
  .filter((name) => name.endsWith(".request.json"))
  .map((name) => JSON.parse(readFileSync(join(directory, name), "utf8")));
process.stdout.write(`${requests.length} requests\n`);
