/** A person remembers a rule in each face as it was built, and the next identical call runs without asking. */
import { fileURLToPath } from "node:url";
import { afterEach, describe, expect, it } from "vitest";
import { homeAt } from "../../src/broker/channel/home.js";
import { wispOn } from "../support/built.js";
import { chatOn, leave, prompted } from "../support/chat-pty.js";
import { openFace } from "../support/face.js";
import { makePlaces, waitingProgress } from "../support/mcp-server.js";
import { ptyMissing, startInPty } from "../support/pty.js";
import { type ServerProcess, startServer } from "../support/raw-client.js";
import { openTui, pressUntil } from "../support/tui.js";

const program = fileURLToPath(new URL("../../dist/wisp.cjs", import.meta.url));
const argv = ["printf", "%s", "once"];
const rule = "Bash(printf %s once)";
const ends: (() => unknown)[] = [];

// A server that lives writes into its home while that is removed.
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end();
});

function serverOn(places: ReturnType<typeof makePlaces>): ServerProcess {
  const server = startServer([process.execPath, program, "mcp"], {
    environment: { WISP_HOME: places.home },
    directory: places.work,
  });
  ends.push(async () => {
    server.child.kill("SIGKILL");
    await server.ended;
  });
  return server;
}

/** A call of a real server that waits for a person. */
async function ask() {
  const places = makePlaces();
  ends.push(places.remove);
  const server = serverOn(places);
  await server.client.initialize();
  const call = server.client.call("run_command", { argv }, { progressToken: "p" });
  await waitingProgress(server.client);
  const request = openFace(places.home).only();
  return { places, home: homeAt(places.home, false), request, result: server.client.resultOf(call) };
}

/** The same call of another server: what it says, though nobody is there to answer. */
async function callAgain(places: ReturnType<typeof makePlaces>): Promise<unknown> {
  const { client } = serverOn(places);
  await client.initialize();
  return (await client.resultOf(client.call("run_command", { argv }))).structuredContent;
}

describe.skipIf(ptyMissing !== null)(
  `a rule that a person remembers${ptyMissing === null ? "" : ` (skipped: ${ptyMissing})`}`,
  () => {
    const allowed = {
      outcome: "approved",
      scope: "project",
      stdout: "once",
      rule: expect.stringContaining(rule),
    };

    it("in the command line lets the next call run, until it is taken back", async () => {
      const { places, home, request, result } = await ask();
      const pty = startInPty(wispOn(home, "approvals", "approve", request.id, "--scope", "project"));
      await pty.seen("Type y and Enter");
      expect(pty.output()).toContain(`remembers     ${rule}\n`);
      pty.type("y\n");
      expect(await pty.ended).toBe(0);
      expect(pty.output()).toContain(`remembered: ${rule}\n`);
      expect((await result).structuredContent).toMatchObject({ outcome: "approved", scope: "project" });
      expect(await callAgain(places)).toMatchObject(allowed);
      const granted = startInPty(wispOn(home, "approvals", "granted", "--json"));
      expect(await granted.ended).toBe(0);
      const { grants } = JSON.parse(granted.output().split("\n")[0] ?? "");
      expect(grants).toMatchObject([{ scope: "project", rule, directory: expect.stringContaining("work") }]);
      const revoked = startInPty(wispOn(home, "approvals", "revoke", grants[0].id));
      expect(await revoked.ended).toBe(0);
      const { client } = serverOn(places);
      await client.initialize();
      const call = client.call("run_command", { argv }, { progressToken: "p" });
      await waitingProgress(client);
      openFace(places.home).deny(openFace(places.home).only());
      expect((await client.resultOf(call)).structuredContent).toMatchObject({ outcome: "denied" });
    });

    it("in the full-screen face lets the next call run", async () => {
      const { places, home, result } = await ask();
      const tui = await openTui(home, { rows: 40 });
      await tui.seen("Run a command?");
      await pressUntil(tui, "p", () => tui.screen().join("\n").includes("Remember this rule?"));
      expect(tui.screen().join("\n")).toContain(rule);
      await pressUntil(tui, "p", () => tui.screen().join("\n").includes(`remembered: ${rule}`));
      expect((await result).structuredContent).toMatchObject({ outcome: "approved", scope: "project" });
      expect(await callAgain(places)).toMatchObject(allowed);
    });

    it("in plain chat lets the next call run", async () => {
      const { places, home, request, result } = await ask();
      const pty = await chatOn(home);
      await prompted(pty);
      pty.type(`/approvals approve ${request.id} project 1\n`);
      await pty.seen("Type y and Enter");
      pty.type("y\n");
      await pty.seen(`remembered: ${rule}`);
      expect((await result).structuredContent).toMatchObject({ outcome: "approved", scope: "project" });
      await leave(pty);
      expect(await callAgain(places)).toMatchObject(allowed);
    });
  },
);
