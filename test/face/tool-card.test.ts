import { describe, expect, it } from "vitest";
import type { Subject } from "../../src/broker/request/request.js";
import { drawCard } from "../../src/cli/render.js";
import { cardOf } from "../../src/face/card.js";
import { approvalRequest } from "../support/builders.js";
import { toolSubject } from "../support/request-kinds.js";

const none = { rejected: 0, shortfalls: [], isDetached: false, keepsNone: false, late: null, here: null };

async function drawn(subject: Subject): Promise<string> {
  const card = cardOf(approvalRequest({ subject }), {
    texts: null,
    home: null,
    now: 1_790_000_019_000,
    ...none,
  });
  const output = { isTerminal: false, columns: 80, rows: 24, write() {} };
  return (await drawCard(card, output, (_level, text) => text)).text;
}

describe("the card of a call of a tool", () => {
  it("shows a tool's arguments whole, its description as its own words, and what would change", async () => {
    const text = await drawn(toolSubject());
    for (const line of [
      "runs          write_file",
      "with          {",
      '           ⏎    "path": "/home/p/api/a.txt",',
      "server        files",
      "started as    npx some-files-server",
      "tool's title  Write a file",
      "tool says     Replaces the whole file.",
      "was           {}",
      'became        {"type":"object"}',
      "replace       /home/p/api/a.txt",
      "before        old",
    ]) {
      expect(text).toContain(`${line}\n`);
    }
    expect(text).toMatch(/after {9}\(3 bytes, SHA-256 [0-9a-f]{64}\)/);
  });

  it("shows what goes beside the arguments as it shows these, and nothing where there is nothing", async () => {
    const text = await drawn(toolSubject({ meta: { "vendor/\u001bconfirm": { all: true } } }));
    expect(text).toContain('_meta         {\n           ⏎    "vendor/\\u001bconfirm": {\n');
    for (const meta of [null, undefined]) {
      expect(await drawn(toolSubject(meta === undefined ? {} : { meta }))).not.toContain("_meta");
    }
  });

  it("has what would change right below what runs, and last what the tool says of itself", async () => {
    const labels = (await drawn(toolSubject())).split("\n").map((row) => row.slice(0, 14).trim());
    const order = labels.filter((label) => label !== "" && label !== "⏎");
    expect(order.slice(1, 9)).toEqual([
      ...["runs", "with", "was", "became", "replace", "before", "after", "state bound"],
    ]);
    expect(order.slice(-4)).toEqual(["started as", "tool's title", "tool says", "left"]);
  });

  it("names where the characters stand that are shown escaped", async () => {
    const description = "a\u200bb";
    expect(await drawn(toolSubject({ description }))).toContain(
      "1 character stands escaped, as \\u{…} or ␠×N, in: tool says\n",
    );
    expect(await drawn(toolSubject({ description, tool: "a\u200bb" }))).toContain("in: runs, tool says\n");
  });

  it("shows what a yes to a call of a tool rests on, each by itself, and says where that is nothing", async () => {
    const bound = [
      { target: "/home/p/api/a.txt", fingerprint: "1" },
      { target: "HEAD of /home/p/\u001bapi", fingerprint: "2" },
    ];
    const text = await drawn({ ...toolSubject(), state: { bound } });
    expect(text).toContain("state bound   /home/p/api/a.txt\nstate bound   HEAD of /home/p/\\u{1b}api\n");
    expect(await drawn({ ...toolSubject(), state: "none" })).toContain(
      "state bound   none: a yes is for the arguments alone\n",
    );
  });
});
