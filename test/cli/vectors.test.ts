/** The codes of the vectors are what a face says: each request of them lies in a home and somebody wants to answer it. */
import { readFileSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { vectorDirectory } from "../../scripts/generated.js";
import type { VectorIndex } from "../../scripts/vectors/index.js";
import type { Vector } from "../../scripts/vectors/vector.js";
import { approve } from "../../src/cli/commands/approve.js";
import { show } from "../../src/cli/commands/show.js";
import { exits } from "../../src/cli/exits.js";
import { exitOfError } from "../../src/cli/report.js";
import { FakeClock } from "../support/fake-clock.js";
import { startVerb } from "../support/run-verb.js";
import { madeHome } from "../support/temp-home.js";

const directory = fileURLToPath(new URL(`../../${vectorDirectory}`, import.meta.url));
const { vectors } = JSON.parse(readFileSync(join(directory, "index.json"), "utf8")) as VectorIndex;
const requests = vectors.filter(({ as }) => as === "request");
const refused = requests.filter(({ expect: what }) => what !== "ok");

/** What `verb` ends with in a home in which nothing but `vector` lies, under its name. */
async function exitWith(verb: typeof show, vector: Vector): Promise<number> {
  const home = madeHome();
  writeFileSync(join(home.path, "format"), "wisp-broker 1\n", { mode: 0o600 });
  const path = join(home.pending, vector.name);
  writeFileSync(path, readFileSync(join(directory, vector.file)), { mode: 0o600 });
  // Long written, and filed just now: nobody is writing it any more, and its server is not yet called gone.
  utimesSync(path, 0, 0);
  const id = vector.name.split(".")[0] ?? "";
  return (await startVerb(verb, ["--", id], { home, clock: new FakeClock() }).ended).exit;
}

describe("of the vectors", () => {
  it.each(refused)("$file ends an approval as $code says", async (vector) => {
    const exit = await exitWith(approve, vector);
    if (vector.code !== null) expect(exit).toBe(exitOfError(vector.code));
    // Only a newer wisp can read it, or nobody can name it.
    else expect(exit).toBe(vector.expect === "newer" ? exits.unexpected : exits.usage);
  });

  it.each(requests.filter(({ expect: what }) => what === "ok"))("$file is shown", async (vector) => {
    expect(vector.code).toBeNull();
    expect(await exitWith(show, vector)).toBe(exits.done);
  });
});
