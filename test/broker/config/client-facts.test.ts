import { describe, expect, test } from "vitest";
import { clientFacts, isRefusedWithin } from "../../../src/broker/config/client-facts.js";
import { knownClients } from "../../../src/broker/config/known-clients.js";
import { type ApprovalSettings, defaultSettings } from "../../../src/broker/config/settings.js";

function settingsOf(approval: Partial<ApprovalSettings> = {}) {
  return { approval: { ...defaultSettings.approval, ...approval } };
}

const unknown = {
  unseenDecline: "decline",
  dialog: true,
  shell: false,
  holdSeconds: "auto",
  hold: { beating: 45, silent: 45 },
};

describe("what is known of a client", () => {
  test.each([
    ["claude-code", "cancel", { beating: null, silent: 1_740 }],
    ["codex-mcp-client", "cancel", { beating: 280, silent: 280 }],
    ["opencode", "decline", { beating: null, silent: 55 }],
    ["gemini-cli-mcp-client", "decline", { beating: 570, silent: 570 }],
    ["qwen-cli-mcp-client-wisp", "decline", { beating: 570, silent: 570 }],
    ["cursor-vscode", "decline", unknown.hold],
    ["mcp-proxy", "decline", unknown.hold],
  ] as const)(
    "is of %s that it gives its agent a shell, that its unseen decline is a %s, and how long it waits",
    (name, unseenDecline, hold) => {
      expect(clientFacts(name, settingsOf())).toEqual({ ...unknown, unseenDecline, shell: true, hold });
    },
  );

  test.each([
    null,
    "",
    "claude-code ",
    "Claude-Code",
    "claude-code-2",
    "qwen-cli-mcp-client",
    "toString",
    "constructor",
    "__proto__",
  ])("is nothing of %j: the protocol's word stands", (name) => {
    expect(clientFacts(name, settingsOf())).toEqual(unknown);
    expect(clientFacts(name, settingsOf({ clients: { other: { shell: true } } }))).toEqual(unknown);
  });

  test("is nothing that the configuration only inherits: a client chooses its name", () => {
    const clients = Object.create({ inherited: { shell: true } });
    expect(clientFacts("inherited", settingsOf({ clients }))).toEqual(unknown);
  });

  test("gives way to what the person configured, key by key", () => {
    const settings = settingsOf({
      clients: { "claude-code": { unseenDecline: "decline", dialog: false }, mine: { shell: true } },
    });
    expect(clientFacts("claude-code", settings)).toEqual({
      unseenDecline: "decline",
      dialog: false,
      shell: true,
      holdSeconds: "auto",
      hold: { beating: null, silent: 1_740 },
    });
    expect(clientFacts("mine", settings)).toEqual({ ...unknown, shell: true });
    expect(clientFacts("other", settings)).toEqual(unknown);
  });
});

test.each([
  ["of its own entry, before what counts for all", { mine: { holdSeconds: 0 } }, 70, 0],
  ["of its own entry, also where that is automatic", { mine: { holdSeconds: "auto" } }, 70, "auto"],
  ["what counts for all, where its entry says nothing", { mine: { shell: true } }, 70, 70],
  ["what counts for all, whatever is said of others", { other: { holdSeconds: 5 } }, "auto", "auto"],
] as const)("a client is held as it is configured: %s", (_what, clients, holdSeconds, expected) => {
  expect(clientFacts("mine", settingsOf({ clients, holdSeconds })).holdSeconds).toBe(expected);
});

describe("the list", () => {
  test("says of each where it was measured or reported, once a name", () => {
    for (const { source } of knownClients)
      expect(source).toMatch(/^(measured, \d+\.\d+\.\d+|https:\/\/\S+)$/);
    const names = knownClients.map(({ name }) => name);
    expect(new Set(names).size).toBe(names.length);
  });
});

describe("a terminal within the client", () => {
  test.each([
    ["known", "claude-code", true],
    ["known", "a-harness", false],
    ["known", null, false],
    ["always", "a-harness", true],
    ["always", null, true],
    ["never", "claude-code", false],
  ] as const)("with ancestry %s under %j is refused: %j", (ancestry, name, expected) => {
    expect(isRefusedWithin(name, settingsOf({ ancestry }))).toBe(expected);
  });

  test("is judged by what the person says of the client", () => {
    const clients = { "claude-code": { shell: false }, "a-harness": { shell: true } };
    expect(isRefusedWithin("claude-code", settingsOf({ clients }))).toBe(false);
    expect(isRefusedWithin("a-harness", settingsOf({ clients }))).toBe(true);
  });
});
