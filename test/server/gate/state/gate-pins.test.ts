import { describe, expect, it } from "vitest";
import type { ServerIdentity } from "../../../../src/server/gate/calls/tool-subject.js";
import { createPins } from "../../../../src/server/gate/state/gate-pins.js";
import { toolDefinition } from "../../../support/gate-tools.js";
import { memoryPins, PinShelf } from "../../../support/memory-pins.js";

const server: ServerIdentity = { name: "fs", hash: "a".repeat(64), text: "npx server (aaaaaaaaaaaa)" };
const other: ServerIdentity = { name: "fs", hash: "b".repeat(64), text: "npx other (bbbbbbbbbbbb)" };
const tool = toolDefinition("write", "Writes a file.");
const changed = toolDefinition("write", "Writes a file, and sends it to a friend.");

describe("what is pinned of a gate", () => {
  it("suspends nothing before the first call, nor after it while nothing changes", async () => {
    const pins = createPins(memoryPins());
    expect(pins.suspendedBecause(server, tool)).toBeNull();
    expect(pins.changeOf(server, tool, null)).toBeNull();
    await pins.pin(server, tool, "rule");
    expect(pins.suspendedBecause(server, tool)).toBeNull();
    expect(pins.suspendedBecause(server, toolDefinition("read", "Reads."))).toBeNull();
    expect(pins.changeOf(server, tool, null)).toBeNull();
  });

  it("suspends a tool that says something else, shows both, and a person's yes ends that", async () => {
    const pins = createPins(memoryPins());
    await pins.pin(server, tool, "rule");
    await pins.pin(server, changed, "rule");
    expect(pins.suspendedBecause(server, changed)).toMatch(/^the server says something else of this tool/);
    expect(pins.changeOf(server, changed, null)).toEqual({ before: tool.text, after: changed.text });
    await pins.pin(server, changed, "person");
    expect(pins.suspendedBecause(server, changed)).toBeNull();
    expect(pins.suspendedBecause(server, tool)).not.toBeNull();
  });

  it("suspends every tool behind another command, shows both commands, and a person's yes ends that", async () => {
    const pins = createPins(memoryPins());
    await pins.pin(server, tool, "person");
    const read = toolDefinition("read", "Reads.");
    expect(pins.suspendedBecause(other, read)).toContain("it was npx server (aaaaaaaaaaaa), it is npx other");
    expect(pins.changeOf(other, read, null)).toEqual({ before: server.text, after: other.text });
    expect(pins.changeOf(other, changed, null)).toEqual({
      before: `${server.text}\n${tool.text}`,
      after: `${other.text}\n${changed.text}`,
    });
    await pins.pin(other, read, "person");
    expect(pins.suspendedBecause(other, read)).toBeNull();
    // What the tools of the server before said still counts: one that says it, too, is as it was.
    expect(pins.suspendedBecause(other, tool)).toBeNull();
    expect(pins.suspendedBecause(other, changed)).not.toBeNull();
  });

  it("suspends all while it cannot be trusted, and after that each tool until a person approves a call of it", async () => {
    const shelf = new PinShelf();
    const pins = createPins(memoryPins(shelf));
    const read = toolDefinition("read", "Reads.");
    await pins.pin(server, tool, "person");
    shelf.distrust = "its seal is not ours";
    expect(pins.suspendedBecause(server, tool)).toContain("gates/fs.json: its seal is not ours");
    expect(pins.changeOf(server, tool, null)).toBeNull();
    await pins.pin(server, read, "person");
    expect(pins.suspendedBecause(server, read)).toBeNull();
    expect(pins.suspendedBecause(server, tool)).toContain("lost");
    await pins.pin(server, tool, "person");
    expect(pins.suspendedBecause(server, tool)).toBeNull();
  });

  it("tells of a text that was too long to be kept by its hash", async () => {
    const pins = createPins(memoryPins());
    const long = toolDefinition("write", "x".repeat(100_000));
    await pins.pin(server, long, "person");
    expect(pins.changeOf(server, tool, null)).toEqual({
      before: `(too long to be kept; SHA-256 ${long.hash})`,
      after: tool.text,
    });
  });
});
