import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { openAsking } from "../../../src/server/mcp/asking.js";
import { fileRules } from "../../../src/server/mcp/file-rules.js";
import { FakeClock } from "../../support/fake-clock.js";
import { FactShelf, memoryFacts } from "../../support/memory-facts.js";
import { tempDirectory } from "../../support/temp-home.js";
import { takesAll } from "../../support/witnesses.js";

/** A default home of its own for the running test: `~` in it. */
function ownHomeDirectory(): string {
  const directory = tempDirectory();
  vi.stubEnv("HOME", directory);
  onTestFinished(() => void vi.unstubAllEnvs());
  return directory;
}

/** What a server started with this `WISP_HOME` tells a person to type. */
function linesFor(home: string | undefined): { readonly answering: string; readonly doctor: string } {
  const options = {
    directory: tempDirectory(),
    clock: new FakeClock(),
    createWitness: () => takesAll,
    createNotifiers: () => [],
    openRules: fileRules,
    say: () => undefined,
  };
  const facts = memoryFacts(new FactShelf(), options.clock);
  const { asking, channel } = openAsking({ ...options, environment: { WISP_HOME: home } }, null, facts);
  channel?.close();
  return { answering: asking.answeringLine({ id: "k7q2mx9d", kind: "approval" }), doctor: asking.doctorLine };
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
    const directory = ownHomeDirectory();
    for (const home of [undefined, "", join(directory, ".wisp")]) {
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
    ownHomeDirectory();
    const directory = tempDirectory();
    expect(linesFor(directory).doctor).toBe(`WISP_HOME=${directory} wisp doctor`);
    expect(linesFor("not/absolute\u202e").doctor).toBe("WISP_HOME='not/absolute\\u{202e}' wisp doctor");
    for (const home of [undefined, ""]) expect(linesFor(home).doctor).toBe("wisp doctor");
  });
});

test("opening what asking needs makes the home it is configured in, and nothing else", () => {
  const standard = ownHomeDirectory();
  const home = join(tempDirectory(), "home");
  answeringLine(home);
  expect(readdirSync(home)).toEqual(["format"]);
  expect(existsSync(join(standard, ".wisp"))).toBe(false);
});
