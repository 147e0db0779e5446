/** Looks at what the server says, before anybody is asked: which are made. */
import { describe, expect, it } from "vitest";
import type { GateRuling } from "../../../../src/broker/policy/gate-ruling.js";
import type { ToolCall } from "../../../../src/server/gate/calls/tool-subject.js";
import { createProbe, type ProbeParts } from "../../../../src/server/gate/state/probe.js";
import { judgingGate } from "../../../support/gate-calls.js";
import { toolDefinition } from "../../../support/gate-tools.js";
import { acceptedHome, policyHome } from "../../../support/policy-home.js";

const info = toolDefinition("info", "Tells of a file.");
const byRule = { rule: { list: "allow" } };
const signal = new AbortController().signal;

/** A probe whose calls are counted; `verdict` is what the rules say. */
function probing(verdict: { name: "allow" | "ask" | "deny" }, overrides: Partial<ProbeParts> = {}) {
  const made: string[] = [];
  const noted: ToolCall[] = [];
  const ruling = { verdict: Object.assign(verdict, byRule), isBeyondReading: false } as unknown as GateRuling;
  const probe = createProbe({
    tools: { find: async (name) => (name === "info" ? info : null) },
    rule: async () => ruling,
    make: async (name, given) => {
      made.push(`${name} ${JSON.stringify(given)}`);
      return { content: [] };
    },
    note: async (call) => void noted.push(call),
    ...overrides,
  });
  return { probe, made, noted };
}

describe("a look at the server itself", () => {
  it("is made and written down where the person's rules let it through", async () => {
    const { probe, made, noted } = probing({ name: "allow" });
    expect(await probe("info", { path: "a" }, signal)).toEqual({ content: [] });
    expect(made).toEqual(['info {"path":"a"}']);
    expect(noted).toEqual([{ tool: info, arguments: { path: "a" } }]);
  });

  it.each(["ask", "deny"] as const)(
    "is not made where they say %s; nobody is asked about it",
    async (name) => {
      const verdict: { name: "allow" | "ask" | "deny" } = { name };
      const { probe, made, noted } = probing(verdict);
      await expect(probe("info", {}, signal)).rejects.toMatchObject({ code: "policy_refused" });
      expect([made, noted]).toEqual([[], []]);
      verdict.name = "allow";
      await probe("info", {}, signal);
      expect(made).toHaveLength(1);
    },
  );

  it("is not made where the gate lets through only what reads, and this is not proven to", async () => {
    const ruling = { verdict: { name: "allow", ...byRule }, isBeyondReading: true } as unknown as GateRuling;
    const { probe, made } = probing({ name: "allow" }, { rule: async () => ruling });
    await expect(probe("info", {}, signal)).rejects.toMatchObject({ code: "policy_refused" });
    expect(made).toEqual([]);
  });

  it("is made by a rule of the person's or the list of a preset, and by no hint of the server, however trusted", async () => {
    const hinted = { ...toolDefinition("info", "Tells of a file."), isReadOnly: true };
    const trusting = { areHintsTrusted: true };
    const allowed = await acceptedHome({ allow: ["mcp__fs__info"] });
    const looks = (gate: ReturnType<typeof judgingGate>, name = "info") =>
      probing(
        { name: "allow" },
        {
          tools: { find: async () => ({ ...hinted, name }) },
          rule: async (call) => gate(call.tool, call.arguments),
        },
      ).probe(name, {}, signal);
    await expect(looks(judgingGate(policyHome(), trusting))).rejects.toMatchObject({
      code: "policy_refused",
    });
    const listed = judgingGate(policyHome(), { preset: "memory", name: "memory" });
    await expect(looks(listed)).rejects.toMatchObject({ code: "policy_refused" });
    expect(await looks(listed, "read_graph")).toEqual({ content: [] });
    expect(await looks(judgingGate(allowed, trusting))).toEqual({ content: [] });
  });

  it("is not made of a tool that the server does not list, nor for a call that was cancelled, nor unrecorded", async () => {
    const { probe, made } = probing({ name: "allow" });
    await expect(probe("other", {}, signal)).rejects.toMatchObject({ code: "upstream_unavailable" });
    await expect(probe("info", {}, AbortSignal.abort("gone"))).rejects.toBe("gone");
    const unrecorded = probing({ name: "allow" }, { note: () => Promise.reject(new Error("full")) });
    await expect(unrecorded.probe("info", {}, signal)).rejects.toThrow("full");
    expect([made, unrecorded.made]).toEqual([[], []]);
    await probe("info", {}, signal);
    expect(made).toHaveLength(1);
  });
});
