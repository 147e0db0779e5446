import { existsSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { openAsking } from "../../../src/server/mcp/asking.js";
import { FakeClock } from "../../support/fake-clock.js";
import { tempDirectory } from "../../support/temp-home.js";
import { takesAll } from "../../support/witnesses.js";

/** What a server started with this `WISP_HOME` tells a person to type. */
function linesFor(home: string | undefined): { readonly answering: string; readonly doctor: string } {
  const options = {
    directory: tempDirectory(),
    clock: new FakeClock(),
    timeoutSeconds: 600,
    witness: takesAll,
  };
  const { asking, channel } = openAsking({ ...options, environment: { WISP_HOME: home } }, null);
  channel.close();
  return { answering: asking.answeringLine("k7q2mx9d"), doctor: asking.doctorLine };
}

function answeringLine(home: string | undefined): string {
  return linesFor(home).answering;
}

describe("the command that answers in a terminal", () => {
  test("names a home that is not the default, quoted for a shell", () => {
    const directory = join(tempDirectory(), "it's here");
    expect(answeringLine(directory)).toBe(
      `WISP_HOME='${directory.replace("'", "'\\''")}' wisp approvals approve k7q2mx9d`,
    );
  });

  test("names no home where it is the default, however that was said", () => {
    for (const home of [undefined, "", join(homedir(), ".wisp")]) {
      expect(answeringLine(home)).toBe("wisp approvals approve k7q2mx9d");
    }
  });

  test("is safe to show whatever the home is called", () => {
    const directory = join(tempDirectory(), "\u202e\u009b2J");
    expect(answeringLine(directory)).toMatch(
      /^WISP_HOME='\/.*\/\\u\{202e\}\\u\{9b\}2J' wisp approvals approve /,
    );
  });
});

describe("the command that says what is wrong", () => {
  test("names the home that was meant, also one that is refused, and no default one", () => {
    const directory = tempDirectory();
    expect(linesFor(directory).doctor).toBe(`WISP_HOME=${directory} wisp doctor`);
    expect(linesFor("not/absolute\u202e").doctor).toBe("WISP_HOME='not/absolute\\u{202e}' wisp doctor");
    for (const home of [undefined, ""]) expect(linesFor(home).doctor).toBe("wisp doctor");
  });
});

test("opening what asking needs touches no file", () => {
  const home = join(tempDirectory(), "home");
  answeringLine(home);
  expect(existsSync(home)).toBe(false);
});
