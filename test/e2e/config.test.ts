/** The built `wisp config`, on a terminal of its own and through a pipe, and a server that runs meanwhile. */
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { ApprovalRequest } from "../../src/broker/request/request.js";
import { runBare, wispOn } from "../support/built.js";
import { writeConfig } from "../support/config-files.js";
import { openFace } from "../support/face.js";
import { ptyMissing, startInPty } from "../support/pty.js";
import { scene, serve } from "../support/scene.js";

describe.skipIf(ptyMissing !== null)("wisp config", () => {
  const typed = (home: Parameters<typeof wispOn>[0], ...words: readonly string[]) =>
    startInPty(wispOn(home, "config", ...words), { isApart: true, columns: 200 });

  it("sets, gets and lists at a terminal, and refuses a pipe", async () => {
    const { home } = scene({});
    const set = typed(home, "set", "approval.timeoutSeconds", "900");
    await set.seen("Type y: ");
    set.type("y\n");
    expect(await set.ended).toBe(0);
    expect(set.output()).toContain("approval.timeoutSeconds: 600 -> 900\n  looser: ");
    const run = (...words: readonly string[]) => runBare(wispOn(home, "config", ...words));
    expect(await run("get", "approval.timeoutSeconds")).toMatchObject({ exit: 0, out: "900\n" });
    expect((await run("list")).out).toContain("approval.timeoutSeconds\t900\tconfig.json\n");
    expect((await run("path")).out).toBe(`${join(home.path, "config.json")}\n`);
    const piped = await run("set", "approval.timeoutSeconds", "30");
    expect([piped.exit, piped.err]).toEqual([4, expect.stringContaining("standard input is not a terminal")]);
    const wrong = typed(home, "set", "approval.bannerDelaySeconds", "900");
    expect(await wrong.ended).toBe(78);
    expect(wrong.output()).toContain("must be shorter than approval.timeoutSeconds");
    expect(JSON.parse(readFileSync(join(home.path, "config.json"), "utf8"))).toEqual({
      approval: { timeoutSeconds: 900 },
    });
    const back = typed(home, "unset", "approval.timeoutSeconds");
    expect([await back.ended, back.output()]).toEqual([0, "approval.timeoutSeconds = 600 (default)\n"]);
  });

  it("that is refused through a pipe makes nothing", async () => {
    const { home } = scene({});
    const piped = await runBare(wispOn(home, "config", "set", "approval.ancestry", "never"));
    expect(piped.exit).toBe(4);
    expect(existsSync(join(home.path, "keys"))).toBe(false);
  });

  it("is taken by a server that runs, with its next request; what was written by hand is not", async () => {
    const place = scene({});
    const { home } = place;
    const { run } = await serve(place);
    const face = openFace(home.path);
    const waitOf = async (text: string): Promise<number> => {
      const ran = run("printf", text);
      await expect.poll(() => face.waiting().length, { timeout: 20_000 }).toBe(1);
      const request: ApprovalRequest = face.only();
      face.deny(request);
      await ran;
      return Math.round(((request.expiresAt ?? 0) - request.createdAt) / 1_000);
    };
    expect(await waitOf("a")).toBe(600);
    expect(await typed(home, "set", "approval.timeoutSeconds", "120").ended).toBe(0);
    expect(await waitOf("b")).toBe(120);
    writeConfig(home.path, { approval: { timeoutSeconds: 4_000 } });
    expect(await waitOf("c")).toBe(120);
    const set = typed(home, "set", "approval.timeoutSeconds", "4000");
    await set.seen("Type y: ");
    set.type("y\n");
    expect(await set.ended).toBe(0);
    expect(await waitOf("d")).toBe(4_000);
  });
});
