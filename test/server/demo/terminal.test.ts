import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { runInTerminal } from "../../../src/server/demo/terminal.js";
import { needs } from "../../support/agent.js";
import { tempDirectory } from "../../support/temp-home.js";

const { signal } = new AbortController();
const PATH = process.env.PATH ?? "";
const { platform } = process;

/** A directory that holds a `script` which prints its arguments, one a line. */
function telling(): string {
  const directory = tempDirectory();
  writeFileSync(join(directory, "script"), `#!/bin/sh\nprintf '%s\\n' "$@"\n`, { mode: 0o755 });
  return directory;
}

describe("a terminal of the stand-in's", () => {
  it("is one to what runs in it, and what that printed is told", async ({ skip }) => {
    needs(["script"], { skip });
    const line = `test -t 0 && test -t 2 && echo "$WORD is at a terminal"`;
    const environment = { PATH, WORD: "this" };
    expect(await runInTerminal(line, { platform, environment, signal })).toBe("this is at a terminal\r\n");
  });

  it.each([
    ["linux", ["-qc", "a 'line'", "/dev/null"]],
    ["darwin", ["-q", "/dev/null", "/bin/sh", "-c", "a 'line'"]],
  ] as const)("is made on %s as its script takes it", async (system, words) => {
    const environment = { PATH: `${telling()}:${PATH}` };
    const printed = await runInTerminal("a 'line'", { platform: system, environment, signal });
    expect(printed).toBe(`${words.join("\n")}\n`);
  });

  it("is null where nothing can make one", async () => {
    const empty = join(tempDirectory(), "empty");
    mkdirSync(empty);
    expect(await runInTerminal("echo", { platform, environment: { PATH: empty }, signal })).toBeNull();
  });

  it("ends when it is told to", async ({ skip }) => {
    needs(["script"], { skip });
    const stopped = new AbortController();
    const ended = runInTerminal("sleep 600", {
      platform,
      environment: { PATH },
      signal: stopped.signal,
    });
    stopped.abort();
    expect(await ended).toBeNull();
  });
});
