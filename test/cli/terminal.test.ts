import { describe, expect, it, onTestFinished, vi } from "vitest";
import { pending } from "../../src/cli/commands/pending.js";
import { processTerminal } from "../../src/cli/terminal.js";
import { runVerb } from "../../src/cli/verb.js";
import { fakeTerminal } from "../support/fake-terminal.js";
import { tempHome } from "../support/temp-home.js";

describe("the terminal of this process", () => {
  it("refuses a working directory that was deleted, in words", async () => {
    const gone = vi.spyOn(process, "cwd").mockImplementation(() => {
      throw Object.assign(new Error("uv_cwd"), { code: "ENOENT" });
    });
    onTestFinished(() => gone.mockRestore());
    const real = processTerminal();
    const heard = fakeTerminal({ home: tempHome() });
    const terminal = Object.defineProperty({ ...heard }, "directory", { get: () => real.directory });
    expect(await runVerb(pending, [], terminal)).toBe(1);
    expect(heard.said()).toBe(
      [
        "wisp: The working directory does not exist any more.",
        "  Where this runs decides which home may be used (ENOENT).",
        "  Change to a directory that exists (cd), then run it again.",
        "",
      ].join("\n"),
    );
    gone.mockRestore();
    expect(processTerminal().directory).toBe(process.cwd());
  });
});
