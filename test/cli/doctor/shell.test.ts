import { spawn } from "node:child_process";
import { describe, expect, it, onTestFinished } from "vitest";
import type { FoundServer, ServerRecord } from "../../../src/broker/channel/server-record.js";
import { defaultSettings, type Settings } from "../../../src/broker/config/settings.js";
import { ownIdentity, startedAtOf } from "../../../src/broker/identity/process.js";
import { type Shortfall, shortfalls, type Testimony } from "../../../src/broker/request/assurance.js";
import { checkShell, type Look, lookAsServer } from "../../../src/cli/doctor/shell.js";
import { fakeTerminal } from "../../support/fake-terminal.js";
import { atTerminal } from "../../support/witnesses.js";

const self = ownIdentity();

function server(pid: number, name: string | null, overrides: Partial<ServerRecord> = {}): FoundServer {
  const client = name === null ? null : { name, version: "1" };
  const record = {
    v: 1,
    ...self,
    instance: "abcdefghjkmnpqrs",
    pid,
    parent: null,
    client,
    home: "/h",
    waiting: [],
    detached: [],
  };
  return { record: { ...record, ...overrides } as ServerRecord, beatAt: 0 };
}

function seen(
  overrides: Partial<Testimony["verified"]>,
  shortfall: Shortfall | null,
  within?: string,
): Testimony {
  return {
    verified: { ...atTerminal.verified, ...overrides },
    seen: within === undefined ? {} : { within },
    shortfall,
  };
}

const always =
  (testimony: Testimony): Look =>
  () =>
    testimony;
const terminal = fakeTerminal();

describe("an answer from where doctor runs", () => {
  it("is none without a terminal, and nothing is looked at", () => {
    const look = (): never => {
      throw new Error("It looked.");
    };
    const { status, detail } = checkShell([server(1, "a")], look, fakeTerminal({ canAnswer: false }));
    expect([status, detail]).toEqual(["ok", "no answer from here: standard input is no terminal"]);
    expect(checkShell([], look, terminal)).toMatchObject({
      status: "ok",
      detail: expect.stringMatching(/^no server/),
    });
  });

  it("says also that what lasts is refused from within an agent, and nothing where it is not", () => {
    const within = seen({}, "within_client", "claude");
    const refused = "accept, config set and facts forget are refused from here: started from within claude";
    const look = always(seen({ terminal: true, ancestry: true }, null));
    const check = checkShell([server(7, "x")], look, terminal, within);
    expect(check.status).toBe("warn");
    expect(check.detail).toContain(`; ${refused}`);
    expect(checkShell([], look, terminal, within).detail).toContain(refused);
    const free = checkShell([server(7, "x")], look, terminal, seen({ terminal: true, ancestry: true }, null));
    expect(free.detail).not.toContain("refused");
  });

  it.each<[Testimony, string]>([
    [atTerminal, "taken by the server of claude-code (process 7) as terminal"],
    [
      seen({ ancestry: false }, null, "claude-code"),
      "taken by the server of claude-code (process 7) as terminal, although it comes from within it",
    ],
    [
      seen({ ancestry: null }, null),
      "taken by the server of claude-code (process 7) as terminal, as far as can be seen",
    ],
    [
      seen({ terminal: null }, null),
      "taken by the server of claude-code (process 7) as terminal, as far as can be seen",
    ],
  ])("would be taken: %j", (testimony, text) => {
    const check = checkShell([server(7, "claude-code")], always(testimony), terminal);
    expect(check).toMatchObject({ status: "ok", detail: `an answer from here would be ${text}`, fix: null });
  });

  it.each<[Shortfall, string | undefined, string]>([
    ["within_client", "claude-code", "started from within it"],
    ["within_client", "codex", "started from within codex"],
    ["terminal_held", undefined, "a process of an agent's client holds the other end of this terminal"],
    ["no_terminal", undefined, "standard input is not the terminal that controls this command"],
    ["process_unseen", undefined, "it cannot look at this process"],
    ["process_gone", undefined, "it does not find this process"],
  ])("would be refused for %s within %s", (shortfall, within, why) => {
    const check = checkShell([server(7, "claude-code")], always(seen({}, shortfall, within)), terminal);
    expect(check).toMatchObject({ status: "warn", fix: expect.stringMatching(/^Answer from a terminal/) });
    expect(check.detail).toBe(
      `an answer from here would be refused by the server of claude-code (process 7): ${why}`,
    );
  });

  it("has a reason for everything that can be wanting", () => {
    const details = shortfalls.map(
      (shortfall) => checkShell([server(7, "a")], always(seen({}, shortfall)), terminal).detail,
    );
    expect(new Set(details).size).toBe(shortfalls.length);
  });

  it("is judged by each live server, with the others beside it, and each is named safely", () => {
    const servers = [server(7, "a\u001b[2J"), server(8, null)];
    const asked: (readonly number[])[] = [];
    const look: Look = (record, others) => {
      asked.push([record.pid, ...others.map(({ pid }) => pid)]);
      return record.pid === 8 ? seen({}, "within_client", "a client without a name") : atTerminal;
    };
    expect(checkShell(servers, look, terminal)).toMatchObject({
      status: "warn",
      detail:
        "an answer from here would be taken by the server of a\\u{1b}[2J (process 7) as terminal; " +
        "refused by the server of a client without a name (process 8): started from within it",
    });
    expect(asked).toEqual([
      [7, 8],
      [8, 7],
    ]);
  });
});

describe("a look as a server looks", () => {
  const settings = (ancestry: Settings["approval"]["ancestry"]): Settings => ({
    ...defaultSettings,
    approval: { ...defaultSettings.approval, ancestry },
  });
  const own = server(process.pid, "this test").record;

  it("finds this very process, which no server that does not live here can see", () => {
    const look = lookAsServer(settings("never"), terminal);
    expect(look(own, []).shortfall).not.toBe("process_gone");
    expect(look(own, []).seen.pid).toBe(process.pid);
    for (const gone of [{ startedAt: "1" }, { pid: 2 ** 22 + 1 }]) {
      expect(look({ ...own, ...gone }, []).shortfall).toBe("process_unseen");
    }
  });

  it.runIf(process.platform === "linux")(
    "finds it within the client of another live server, where the settings refuse that",
    () => {
      const child = spawn("sleep", ["600"], { stdio: "ignore" });
      onTestFinished(() => void child.kill());
      const startedAt = startedAtOf(child.pid ?? 0) ?? "";
      const asking = server(child.pid ?? 0, "own-client", { startedAt }).record;
      const next = spawn("sleep", ["600"], { stdio: "ignore" });
      onTestFinished(() => void next.kill());
      const other = server(next.pid ?? 0, "claude-code", {
        startedAt: startedAtOf(next.pid ?? 0) ?? "",
        parent: { pid: process.pid, startedAt: startedAtOf(process.pid) ?? "" },
      }).record;
      const within = (ancestry: Settings["approval"]["ancestry"], others: readonly ServerRecord[]): unknown =>
        lookAsServer(settings(ancestry), terminal)(asking, others).seen.within;
      expect(within("known", [other])).toBe("claude-code");
      expect(within("known", [])).toBe("own-client");
      expect(within("never", [other])).toBe("own-client");
    },
  );

  it.runIf(process.platform === "linux")(
    "finds it within the client of a server that it runs in itself",
    () => {
      // Without a terminal of its own this process falls short before that counts, so only what was seen is compared.
      const look = lookAsServer(settings("always"), terminal);
      expect(look(own, []).verified.ancestry).toBe(false);
      expect(look(own, []).seen.within).toBe("this test");
    },
  );
});
