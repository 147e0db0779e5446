import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { configSchema } from "../../../src/broker/config/schema.js";
import {
  type AcceptedValues,
  acceptedValues,
  acceptedValuesOf,
  inForce,
  isLooser,
  type SealedKey,
  sealedKeys,
  sealedValue,
} from "../../../src/broker/config/sealed-keys.js";
import { defaultSettings, type Settings } from "../../../src/broker/config/settings.js";

function settingsOf(content: object): Settings {
  return configSchema().parse(content);
}

describe("a key that can loosen", () => {
  test.each<[key: SealedKey, accepted: unknown, file: unknown, looser: boolean]>([
    ["approval.timeoutSeconds", 600, 599, false],
    ["approval.timeoutSeconds", 600, 601, true],
    ["approval.timeoutSeconds", 600, 0, true],
    ["approval.timeoutSeconds", 0, 86_400, false],
    ["approval.threshold", "moderate", "low", false],
    ["approval.threshold", "moderate", "high", true],
    ["approval.require.low", "dialog", "terminal", false],
    ["approval.require.dangerous", "terminal", "dialog", true],
    ["approval.ancestry", "known", "never", true],
    ["approval.ancestry", "known", "always", true],
    ["approval.outOfBand", true, false, true],
    ["approval.outOfBand", false, true, true],
    ["approval.clients", {}, { x: { shell: true } }, true],
    ["approval.clients", { x: { shell: true }, y: {} }, { y: {}, x: { shell: true } }, false],
    ["notify.command", null, ["tell"], true],
    ["notify.command", ["tell"], ["tell", "me"], true],
    ["notify.command", ["tell"], null, true],
    ["audit.keep", 20, 0, true],
    ["audit.keep", 20, 21, false],
    ["audit.rotateBytes", 16_777_216, 1_048_576, true],
    ["audit.rotateBytes", 16_777_216, 16_777_217, false],
  ])("%s, accepted as %j, is looser as %j: %j", (key, accepted, file, looser) => {
    expect(isLooser(key, accepted, file)).toBe(looser);
    expect(isLooser(key, accepted, accepted)).toBe(false);
  });

  test("is one of those of which the default, too, is known", () => {
    const values = acceptedValuesOf(defaultSettings);
    expect(Object.keys(values)).toEqual([...sealedKeys]);
    expect(acceptedValues(values)).toEqual(values);
    expect(Object.values(values)).not.toContain(undefined);
  });
});

const levels = fc.constantFrom("dialog", "terminal");
const waits = fc.constantFrom(0, 1, 5, 599, 600, 601, 86_400);
const files = fc
  .record(
    {
      outOfBand: fc.boolean(),
      timeoutSeconds: waits,
      bannerDelaySeconds: fc.constantFrom(0, 5, 10, 598, 700, 3_600),
      unseenAnswerMs: fc.constantFrom(0, 400, 10_000),
      threshold: fc.constantFrom("low", "moderate", "high", "dangerous"),
      ancestry: fc.constantFrom("known", "always", "never"),
      require: fc.record({ low: levels, high: levels, dangerous: levels }, { requiredKeys: [] }),
      clients: fc.dictionary(
        fc.constantFrom("a", "b"),
        fc.record({ shell: fc.boolean(), dialog: fc.boolean() }, { requiredKeys: [] }),
      ),
    },
    { requiredKeys: [] },
  )
  .chain((approval) =>
    fc
      .record({
        command: fc.constantFrom(null, ["tell"], ["tell", "me"]),
        rotateBytes: fc.constantFrom(1_048_576, 16_777_216, 1_073_741_824),
        keep: fc.constantFrom(0, 20, 1_000),
      })
      .map(({ command, ...audit }) => ({ approval, notify: { command }, audit })),
  )
  .map((content) => configSchema().safeParse(content))
  .filter((parsed) => parsed.success)
  .map((parsed) => parsed.data as Settings);

describe("what is in force", () => {
  test("is for each key that can loosen the file's value or the accepted one, never one that is looser than was accepted, and the file's at once where that is not looser", () => {
    fc.assert(
      fc.property(files, files, fc.subarray([...sealedKeys]), (file, before, keys) => {
        const all = acceptedValuesOf(before);
        const accepted = Object.fromEntries(keys.map((key) => [key, all[key]])) as AcceptedValues;
        const effective = { ...acceptedValuesOf(defaultSettings), ...accepted };
        const { settings, waiting } = inForce(file, accepted);
        for (const key of sealedKeys) {
          const value = sealedValue(settings, key);
          const said = sealedValue(file, key);
          const waits = isLooser(key, effective[key], said);
          expect(isLooser(key, effective[key], value)).toBe(false);
          expect(value).toEqual(waits ? effective[key] : said);
          expect(waiting.some((one) => one.key === key)).toBe(waits);
        }
        // All else is as the file says, but for a banner that would come after the end.
        const { timeoutSeconds, bannerDelaySeconds } = settings.approval;
        if (timeoutSeconds !== 0) expect(bannerDelaySeconds).toBeLessThan(timeoutSeconds);
        expect(bannerDelaySeconds).toBeLessThanOrEqual(file.approval.bannerDelaySeconds);
        expect(settings.approval.unseenAnswerMs).toBe(file.approval.unseenAnswerMs);
        expect(settings.notify.enabled).toBe(file.notify.enabled);
      }),
    );
  });

  test("is the file itself where nothing in it is looser", () => {
    const file = settingsOf({ approval: { timeoutSeconds: 30, require: { high: "terminal" } } });
    expect(inForce(file, {})).toEqual({ settings: file, waiting: [] });
  });

  test("never leaves a banner for after the wait, although the pair in the file is good", () => {
    const file = settingsOf({ approval: { timeoutSeconds: 900, bannerDelaySeconds: 700 } });
    const { settings, waiting } = inForce(file, {});
    expect(settings.approval).toMatchObject({ timeoutSeconds: 600, bannerDelaySeconds: 300 });
    expect(waiting).toEqual([{ key: "approval.timeoutSeconds", accepted: 600, file: 900 }]);
    const accepted = inForce(file, { "approval.timeoutSeconds": 900 });
    expect(accepted.settings).toEqual(file);
  });

  test("believes no dialog that was answered too soon, also where that leaves none to believe", () => {
    const file = settingsOf({ approval: { timeoutSeconds: 60, unseenAnswerMs: 10_000 } });
    const { settings } = inForce(file, { "approval.timeoutSeconds": 5 });
    expect(settings.approval).toMatchObject({ timeoutSeconds: 5, unseenAnswerMs: 10_000 });
  });

  test("keeps both of a pair that leaves no way to answer: the stricter is in force, and it is said what waits", () => {
    const file = settingsOf({ approval: { require: { dangerous: "terminal" } } });
    const { settings, waiting } = inForce(file, { "approval.outOfBand": false });
    expect(settings.approval).toMatchObject({ outOfBand: false, require: { dangerous: "terminal" } });
    expect(waiting).toEqual([{ key: "approval.outOfBand", accepted: false, file: true }]);
  });
});
