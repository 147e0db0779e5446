/** What a server says to faces of a call whose dialog is with its client: whether anybody is expected back. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { type Asked, asked, cancel, counting, runsIn } from "../../support/asked-in-2026.js";
import { approval, type MemoryServer, waitingProgress } from "../../support/mcp-server.js";
import { sendLeg } from "../../support/modern-client.js";
import { PatientClock } from "../../support/patient-clock.js";

interface Away extends Asked {
  readonly clock: PatientClock;
}

/** A form is with a client of this name. */
async function away(config: object = {}, name = "raw"): Promise<Away> {
  const clock = new PatientClock();
  const server = await asked({ clock, config }, { args: counting, name });
  return { ...server, clock };
}

/** The requests that no call waits for, by the server's own record. */
function detachedIn({ home }: MemoryServer): readonly string[] {
  const servers = join(home, "servers");
  return readdirSync(servers).flatMap((name) => {
    const record: { readonly detached: readonly string[] } = JSON.parse(
      readFileSync(join(servers, name), "utf8"),
    );
    return record.detached;
  });
}

describe("a call whose dialog is with the client", () => {
  test.each([
    ["raw", 45, {}],
    ["codex-mcp-client", 280, {}],
    ["raw", 20, { approval: { holdSeconds: 20 } }],
  ])("of %s counts as waiting for the %i s for which a call would be held", async (name, seconds, config) => {
    const server = await away(config, name);
    server.clock.advance(seconds * 1_000 - 1);
    expect(detachedIn(server)).toEqual([]);
    server.clock.advance(1);
    expect(detachedIn(server)).toEqual([server.dialog.id]);
    const result = await server.client.resultOf(server.reply(approval));
    expect(result.structuredContent).toMatchObject({ outcome: "approved", via: "elicitation" });
    expect(runsIn(server.work)).toBe(1);
  });

  test("of a client that waits for ever counts as waiting until the request's time is over", async () => {
    const server = await away({}, "claude-code");
    server.clock.advance(599_999);
    expect(detachedIn(server)).toEqual([]);
  });

  test("has waited all along when its next leg comes, and counts as gone when that returns", async () => {
    const server = await away();
    server.clock.advance(30_000);
    const second = server.reply(cancel);
    await waitingProgress(server.client);
    server.clock.advance(44_999);
    expect(detachedIn(server)).toEqual([]);
    server.clock.advance(1);
    await server.client.resultOf(second);
    expect(detachedIn(server)).toEqual([server.dialog.id]);
  });

  test("counts as gone when its answer comes with another call", async () => {
    const server = await away();
    const { id, state } = server.dialog;
    const other = { argv: ["true"] };
    const responses = { [id]: approval };
    await server.client.resultOf(sendLeg(server.client, { args: other, state, responses }));
    expect(detachedIn(server)).toEqual([id]);
    expect(runsIn(server.work)).toBe(0);
  });
});
