/** What the pins of a gate hold to, whatever they are kept in. */
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { GatePins, LetThrough, PinnedGate } from "../../src/broker/gates/pins.js";
import { sha256Hex } from "../../src/broker/request/long-text.js";

/** One place where pins are kept, and what can become of it. */
export interface PinsPlaceUnderTest {
  readonly pins: GatePins;
  /** The same pins, as another gate of that name opens them. */
  readonly another: () => GatePins;
  /** What lies there can be trusted no more. */
  readonly spoil: () => void;
  /** Nothing can be written, and again everything. */
  readonly breakIt: () => void;
  readonly repair: () => void;
  readonly close: () => void;
}

/** A call of `tool` that says `text` of itself, let through by a person at the server `server`. */
export function letThrough(overrides: Partial<LetThroughWords> = {}): LetThrough {
  const { server, tool, text, by } = {
    server: "npx server",
    tool: "write",
    text: "writes",
    by: "person" as const,
    ...overrides,
  };
  return {
    server: { identity: sha256Hex(server), identityText: server },
    tool,
    definition: { hash: sha256Hex(text), text },
    by,
  };
}

interface LetThroughWords {
  readonly server: string;
  readonly tool: string;
  readonly text: string;
  readonly by: LetThrough["by"];
}

/** What is pinned, as plain values; a text where nothing is. */
export function pinnedIn(pins: GatePins): unknown {
  const now = pins.current();
  if (now.kind !== "pinned") return now.kind;
  return { server: now.gate.identityText, restored: now.gate.isRestored, ...toolsOf(now.gate) };
}

function toolsOf({ tools }: PinnedGate): Record<string, string | null> {
  return Object.fromEntries([...tools].map(([name, { text }]) => [name, text]));
}

/** Runs the contract against what `open` makes. */
export function describePins(where: string, open: () => PinsPlaceUnderTest): void {
  describe(`the pins of a gate ${where}`, () => {
    let place: PinsPlaceUnderTest;
    beforeEach(() => {
      place = open();
    });
    afterEach(() => place.close());
    const seen = (): unknown => pinnedIn(place.pins);
    const first = { server: "npx server", restored: false, write: "writes" };

    it("are none at first, and hold what the first call was to, by a person or by a rule", async () => {
      expect(seen()).toBe("none");
      await place.pins.pin(letThrough({ by: "rule" }));
      await place.pins.pin(letThrough({ tool: "read", text: "reads" }));
      expect(seen()).toEqual({ ...first, read: "reads" });
      expect(pinnedIn(place.another())).toEqual(seen());
    });

    it("stay when a rule lets through another definition or another server; a person's yes pins these", async () => {
      await place.pins.pin(letThrough());
      await place.pins.pin(letThrough({ text: "changed", by: "rule" }));
      await place.pins.pin(letThrough({ server: "other", by: "rule" }));
      await place.pins.pin(letThrough({ server: "other", tool: "new", by: "rule" }));
      expect(seen()).toEqual(first);
      await place.pins.pin(letThrough({ text: "changed" }));
      expect(seen()).toEqual({ ...first, write: "changed" });
      await place.pins.pin(letThrough({ server: "other", tool: "new", text: "new" }));
      expect(seen()).toEqual({ ...first, server: "other", write: "changed", new: "new" });
    });

    it("are the same for two gates of that name, and what either pins the other sees", async () => {
      const other = place.another();
      await place.pins.pin(letThrough());
      await other.pin(letThrough({ tool: "read", text: "reads" }));
      await place.pins.pin(letThrough({ tool: "list", text: "lists", by: "rule" }));
      const all = { ...first, read: "reads", list: "lists" };
      expect([seen(), pinnedIn(other)]).toEqual([all, all]);
    });

    it("lose none of what two gates pin at the same time", async () => {
      const other = place.another();
      const names = Array.from({ length: 6 }, (_, index) => `tool-${index}`);
      await Promise.all(
        names.map((tool, index) =>
          (index % 2 === 0 ? place.pins : other).pin(letThrough({ tool, by: "rule" })),
        ),
      );
      expect(seen()).toEqual({
        server: "npx server",
        restored: false,
        ...Object.fromEntries(names.map((name) => [name, "writes"])),
      });
    });

    it("that cannot be trusted pin nothing by a rule, and after a person's yes no tool that nobody approved anew", async () => {
      await place.pins.pin(letThrough());
      place.spoil();
      expect(seen()).toBe("untrusted");
      await place.pins.pin(letThrough({ by: "rule" }));
      expect(seen()).toBe("untrusted");
      await place.pins.pin(letThrough({ tool: "read", text: "reads" }));
      await place.pins.pin(letThrough({ text: "changed", by: "rule" }));
      expect(seen()).toEqual({ server: "npx server", restored: true, read: "reads" });
      await place.pins.pin(letThrough());
      expect(seen()).toEqual({ ...first, restored: true, read: "reads" });
    });

    it("are those before where they cannot be written, which is told; later they can", async () => {
      await place.pins.pin(letThrough());
      place.breakIt();
      const failed = place.pins.pin(letThrough({ text: "changed" }));
      await expect(failed).rejects.toMatchObject({ code: expect.stringMatching(/^channel_/) });
      // What is pinned already is not written again.
      await place.pins.pin(letThrough());
      expect(seen()).toEqual(first);
      place.repair();
      await place.pins.pin(letThrough({ text: "changed" }));
      expect(seen()).toEqual({ ...first, write: "changed" });
    });

    it.each(["__proto__", "constructor", "", "a\0b", "\ud800", "x".repeat(10_000)])(
      "know a tool by any name that a server gives it",
      async (tool) => {
        await place.pins.pin(letThrough({ tool }));
        await place.another().pin(letThrough({ tool, text: "changed", by: "rule" }));
        const now = place.pins.current();
        expect(now.kind === "pinned" && [...now.gate.tools.values()].map(({ text }) => text)).toEqual([
          "writes",
        ]);
      },
    );
  });
}
