import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { overview } from "../../../src/cli/commands/overview.js";
import { answerTo, approvalDraft } from "../../support/builders.js";
import { type FakeTerminalOptions, fakeTerminal } from "../../support/fake-terminal.js";
import { type Ran, startOn } from "../../support/run-verb.js";
import { openAsker, openFace, tempHome } from "../../support/temp-home.js";

const look = (options: FakeTerminalOptions): Promise<Ran> => startOn(fakeTerminal(options), overview).ended;

describe("wisp alone", () => {
  it("says that nothing waits, and what to try", async () => {
    expect(await look({ home: tempHome() })).toEqual({
      exit: 0,
      out: "Try it: wisp demo        Everything else: wisp --help\n",
      err: "Nothing waits.\n",
    });
  });

  it("shows the oldest five, how many more there are, and the next command", async () => {
    const home = tempHome();
    const { channel } = openAsker(home);
    const filed = Array.from({ length: 7 }, () => channel.file(approvalDraft(), []));
    const [first] = channel.pending().requests;
    const { exit, out, err } = await look({ home });
    expect({ exit, err }).toEqual({ exit: 0, err: "" });
    expect(filed.filter(({ id }) => out.includes(`\n${id} `))).toHaveLength(5);
    expect(out).toContain(`and 2 more: WISP_HOME=${home.path} wisp approvals pending\n`);
    const answered = channel.pending().requests[1];
    if (answered === undefined) throw new Error("Nothing waits.");
    openFace(home).answer(answerTo(answered));
    expect((await look({ home })).err).toContain(
      `not read yet: its server is stopped or busy: ${answered.id}\n`,
    );
    expect(out.split("\n").slice(-4)).toEqual([
      `Next: WISP_HOME=${home.path} wisp approvals show ${first?.id}`,
      `All of them, with single keys: WISP_HOME=${home.path} wisp tui`,
      "Everything else: wisp --help",
      "",
    ]);
  });

  it("counts what is no request, and never says that nothing waits beside what a newer wisp filed", async () => {
    const home = tempHome();
    const { channel } = openAsker(home);
    channel.settle(channel.file(approvalDraft(), []).id, { outcome: "timed_out", taken: null, ran: false });
    const plant = (name: string, text: string): void =>
      writeFileSync(join(home.pending, `${name}.request.json`), text, { mode: 0o600 });
    plant("junkjunk", '{"a":1,"a":2}');
    expect((await look({ home })).err).toBe(
      "Nothing waits.\n1 file here is not a request: junkjunk.request.json (duplicate key)\n",
    );
    plant("newernew", '{"v":2,"id":"newernew"}');
    expect((await look({ home })).err).toBe(
      [
        "Nothing waits that this wisp can answer.",
        "1 request was filed by a newer wisp and cannot be answered here: newernew",
        "1 file here is not a request: junkjunk.request.json (duplicate key)",
        "",
      ].join("\n"),
    );
    channel.file(approvalDraft(), []);
    const { err } = await look({ home });
    expect(err).not.toContain("Nothing waits");
    expect(err).toContain("newernew");
  });
});
