/** What every notifier keeps, wherever its banners are shown. */
import { beforeEach, describe, expect, it } from "vitest";
import type { Banner, Notifier } from "../../src/broker/notify/notifier.js";
import type { FakeClock } from "./fake-clock.js";

export interface NotifierHarness {
  readonly notifier: Notifier;
  /** The one that the notifier was given. */
  readonly clock: FakeClock;
  /** What a person got to read so far, in any order. */
  shown(): readonly { readonly title: string; readonly body: string }[];
  /** From here on nothing can be posted. */
  breakIt(): void;
  repair(): void;
}

/** Says the same outside as here, where a test does not tell them apart. */
export function testBanner(overrides: Partial<Banner> = {}): Banner {
  const body = overrides.body ?? "git push origin main — wisp approvals approve k7q2mx9d";
  return {
    title: "api · claude-code asks",
    body,
    outside: body,
    source: "approval",
    request: "k7q2mx9d",
    level: "high",
    client: "claude-code",
    project: "api",
    ...overrides,
  };
}

export const never = new AbortController().signal;

/** Texts that a program, a shell, a terminal or a desktop could take for something else. */
export const hostileTexts = [
  ["an option", "--help", "--help"],
  ["a short option", "-u critical", "-u critical"],
  ["an end of options", "--", "--"],
  ["markup", "<b>x</b> <a href='http://x/'>&lt;</a> &", "<b>x</b> <a href='http://x/'>&lt;</a> &"],
  ["an escape of a terminal", "a\u001b[2J\u0007\u009bb", "a\\u{1b}[2J\\u{7}\\u{9b}b"],
  ["an escape as C writes it", "a\\033[2J\\n\\x41", "a\\033[2J\\n\\x41"],
  ["a backslash at its end", "a\\", "a\\"],
  ["lines", "a\r\nb", "a\\u{d}\\u{a}b"],
  ["a NUL", "a\0b", "a\\u{0}b"],
  ["half a character", "a\ud800b", "a\\u{d800}b"],
  ["a turned order", "a\u202eb", "a\\u{202e}b"],
  ["words for a shell", "$(id) `id` $HOME '\";|&", "$(id) `id` $HOME '\";|&"],
  ["a list", "{ a = b; }", "{ a = b; }"],
  ["percent signs", "%s%n%1$s", "%s%n%1$s"],
] as const;

/** Runs the contract against what `open` gives, anew for each test. */
export function describeNotifier(name: string, open: () => NotifierHarness): void {
  describe(`a notifier ${name}`, () => {
    let harness: NotifierHarness;
    beforeEach(() => {
      harness = open();
    });

    it("posts a banner and gives a receipt for it", async () => {
      const { title, body } = testBanner();
      expect(await harness.notifier.post(testBanner(), never)).toEqual({
        title,
        body,
        source: "approval",
        outcome: "posted",
        route: expect.stringMatching(/^[a-z.-]+$/),
        skipped: [],
        at: harness.clock.now(),
      });
      expect(harness.shown()).toEqual([{ title, body }]);
    });

    it.each(hostileTexts)("shows %s as text, in its title and its body", async (_what, text, safe) => {
      const receipt = await harness.notifier.post(testBanner({ title: text, body: text }), never);
      expect(receipt).toMatchObject({ outcome: "posted", title: safe, body: safe });
      expect(harness.shown()).toEqual([{ title: safe, body: safe }]);
    });

    it("shows the beginning of what is too long, and no escape by half", async () => {
      const long = { title: "t".repeat(10_000), body: `ab${"\u0007".repeat(10_000)}` };
      const receipt = await harness.notifier.post(testBanner(long), never);
      const { title, body } = receipt;
      expect(title).toBe(`${"t".repeat(63)}…`);
      expect(body).toBe(`ab${"\\u{7}".repeat(50)}…`);
      expect(harness.shown()).toEqual([{ title, body }]);
    });

    it("shows texts that just fit whole", async () => {
      const { title, body } = { title: "😀".repeat(64), body: "b".repeat(256) };
      expect(await harness.notifier.post(testBanner({ title, body }), never)).toMatchObject({ title, body });
      expect(harness.shown()).toEqual([{ title, body }]);
    });

    it.each(["", "  "])(
      "names itself where the title is %j, and leaves an empty body empty",
      async (title) => {
        await harness.notifier.post(testBanner({ title, body: "" }), never);
        expect(harness.shown()).toEqual([{ title: "wisp", body: "" }]);
      },
    );

    it("that cannot post says so, and why, and goes on when repaired", async () => {
      harness.breakIt();
      const failed = await harness.notifier.post(testBanner(), never);
      expect(failed).toMatchObject({ outcome: "failed", route: null, title: testBanner().title });
      expect(failed.skipped.length).toBeGreaterThan(0);
      for (const { route, why } of failed.skipped) {
        expect(route).toMatch(/^[a-z.-]+$/);
        expect(why).not.toBe("");
      }
      expect(harness.shown()).toEqual([]);
      harness.repair();
      expect(await harness.notifier.post(testBanner(), never)).toMatchObject({ outcome: "posted" });
      expect(harness.shown()).toHaveLength(1);
    });

    it("posts nothing for whoever has given up, and the next one again", async () => {
      const given = await harness.notifier.post(testBanner(), AbortSignal.abort());
      expect(given).toMatchObject({ outcome: "failed", route: null });
      expect(given.skipped.map(({ why }) => why)).toContain("cancelled");
      expect(harness.shown()).toEqual([]);
      expect(await harness.notifier.post(testBanner(), never)).toMatchObject({ outcome: "posted" });
    });

    it("gives each of many at once its own receipt", async () => {
      const titles = Array.from({ length: 8 }, (_, index) => `title ${index}`);
      const receipts = await Promise.all(
        titles.map((title) => harness.notifier.post(testBanner({ title }), never)),
      );
      expect(receipts.map(({ title, outcome }) => `${title} ${outcome}`)).toEqual(
        titles.map((title) => `${title} posted`),
      );
      expect(
        harness
          .shown()
          .map(({ title }) => title)
          .sort(),
      ).toEqual(titles);
    });
  });
}
