/** The directory that a command starts in is the one that was looked at. */
import { existsSync, mkdirSync, readdirSync, readlinkSync, renameSync, statSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, describe, expect, it } from "vitest";
import { type RunParts, runCommand } from "../../../src/server/command/run.js";
import { holdDirectory, identityOf, isStillReal } from "../../../src/server/command/working-directory.js";
import { longMs, ofArgv, ofLine, runParts, runToEnd } from "../../support/commands.js";
import { tempDirectory } from "../../support/temp-home.js";

let root: string;
let shown: string;
let moved: string;

beforeEach(() => {
  root = tempDirectory();
  [shown, moved] = [join(root, "shown"), join(root, "moved")];
  mkdirSync(shown);
});

/** Another one has the name from then on. */
function exchange(): void {
  renameSync(shown, moved);
  mkdirSync(shown);
}

const shownIdentity = () => identityOf(statSync(shown, { bigint: true }));

/** What this process holds open, by where it lies. */
function held(): readonly string[] {
  return readdirSync("/proc/self/fd").map((name) => {
    try {
      return readlinkSync(`/proc/self/fd/${name}`);
    } catch {
      // It was open while it was listed.
      return "";
    }
  });
}

describe.runIf(process.platform === "linux")("a command", () => {
  it("starts in no directory that takes the place of the one that was shown, even between the last look and the start", async () => {
    const racing: RunParts = {
      ...runParts(),
      // Read when everything was looked at, right before the start.
      get umask() {
        exchange();
        return null;
      },
    };
    const result = await runCommand(ofLine(shown, "pwd -P; touch made"), longMs, racing);
    expect(result).toMatchObject({ stdout: `${moved}\n` });
    expect([existsSync(join(shown, "made")), existsSync(join(moved, "made"))]).toEqual([false, true]);
    expect((await runToEnd(ofLine(shown, "pwd"))).stdout).toBe(`${shown}\n`);
  });

  it("has its directory held no longer than it takes to start, also where it does not", async () => {
    let then: readonly string[] = [shown];
    const onStarted = (): void => {
      then = held();
    };
    await runToEnd(ofArgv(shown, ["true"]), { onStarted });
    expect(then).not.toContain(shown);
    const drifted = { ...ofArgv(shown, ["true"]), programChangedAt: "0" };
    await expect(runCommand(drifted, longMs, runParts())).rejects.toMatchObject({ code: "replay_drift" });
    expect(held()).not.toContain(shown);
    await runToEnd(ofArgv(shown, ["true"]));
  });
});

it("another directory under the name is not held: it is started in by its name, and looked at first", () => {
  const identity = shownIdentity();
  exchange();
  const other = holdDirectory(shown, identity);
  expect(other.path).toBe(shown);
  const own = holdDirectory(moved, identity);
  expect(identityOf(statSync(own.path, { bigint: true }))).toEqual(identity);
  for (const one of [other, own, own]) one.release();
});

it("a name that leads through a link, or nowhere, is real no longer", () => {
  expect(isStillReal(shown)).toBe(true);
  renameSync(shown, moved);
  expect(isStillReal(shown)).toBe(false);
  symlinkSync(moved, shown);
  expect([isStillReal(shown), isStillReal(moved)]).toEqual([false, true]);
});
