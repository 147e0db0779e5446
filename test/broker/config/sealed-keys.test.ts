import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { configSchema } from "../../../src/broker/config/schema.js";
import {
  type AcceptedValues,
  acceptedValues,
  acceptedValuesOf,
  effectOf,
  hasToWait,
  inForce,
  type SealedKey,
  sealedKeys,
  sealedValue,
} from "../../../src/broker/config/sealed-keys.js";
import { defaultSettings, type Settings } from "../../../src/broker/config/settings.js";

function settingsOf(content: object): Settings {
  return configSchema().parse(content);
}

describe("a key that can loosen", () => {
  test.each<[key: SealedKey, accepted: unknown, file: unknown, effect: string]>([
    ["approval.timeoutSeconds", 600, 599, "tighter"],
    ["approval.timeoutSeconds", 600, 601, "looser"],
    ["approval.timeoutSeconds", 600, 0, "looser"],
    ["approval.timeoutSeconds", 0, 86_400, "tighter"],
    ["approval.threshold", "moderate", "low", "tighter"],
    ["approval.threshold", "moderate", "high", "looser"],
    ["approval.require.low", "dialog", "terminal", "tighter"],
    ["approval.require.dangerous", "terminal", "dialog", "looser"],
    ["approval.ancestry", "known", "never", "looser"],
    ["approval.ancestry", "known", "always", "tighter"],
    ["approval.ancestry", "never", "known", "tighter"],
    ["approval.ancestry", "never", "always", "tighter"],
    ["approval.ancestry", "always", "known", "looser"],
    ["approval.ancestry", "always", "never", "looser"],
    ["approval.outOfBand", true, false, "unclear"],
    ["approval.outOfBand", false, true, "unclear"],
    ["approval.clients", {}, { x: { shell: true } }, "tighter"],
    ["approval.clients", {}, { x: { shell: false } }, "looser"],
    ["approval.clients", { x: { shell: false } }, {}, "tighter"],
    ["approval.clients", { x: { shell: true } }, {}, "looser"],
    ["approval.clients", {}, { x: { dialog: false } }, "tighter"],
    ["approval.clients", { x: { dialog: false } }, { x: { dialog: true } }, "looser"],
    ["approval.clients", { x: { dialog: false } }, { x: {} }, "looser"],
    ["approval.clients", {}, { x: { dialog: true } }, "same"],
    ["approval.clients", {}, { x: { unseenDecline: "cancel" } }, "unclear"],
    ["approval.clients", {}, { x: { unseenDecline: "cancel", shell: false } }, "looser"],
    ["approval.clients", {}, { x: { holdSeconds: 600 } }, "tighter"],
    ["approval.clients", {}, { toString: { shell: false }, y: { shell: true } }, "looser"],
    ["approval.clients", { x: { shell: true }, y: {} }, { y: {}, x: { shell: true } }, "same"],
    ["notify.command", null, ["tell"], "looser"],
    ["notify.command", ["tell"], ["tell", "me"], "unclear"],
    ["notify.command", ["tell"], null, "tighter"],
    ["approval.unseenAnswerMs", 400, 0, "looser"],
    ["approval.unseenAnswerMs", 400, 500, "tighter"],
    ["gate.trustAnnotations", false, true, "looser"],
    ["gate.trustAnnotations", true, false, "tighter"],
    ["gate.asksPerMinute", 60, 61, "looser"],
    ["gate.asksPerMinute", 60, 59, "tighter"],
    ["approval.persistDays", 30, 31, "looser"],
    ["approval.persistDays", 30, 7, "tighter"],
    ["audit.keep", 20, 0, "looser"],
    ["audit.keep", 20, 21, "tighter"],
    ["audit.rotateBytes", 16_777_216, 1_048_576, "looser"],
    ["audit.rotateBytes", 16_777_216, 16_777_217, "tighter"],
  ])("%s, accepted as %j, is by %j: %s; only what is not tighter waits", (key, accepted, file, effect) => {
    expect(effectOf(key, accepted, file)).toBe(effect);
    expect(hasToWait(key, accepted, file)).toBe(effect === "looser" || effect === "unclear");
    expect(effectOf(key, accepted, accepted)).toBe("same");
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
          const waits = hasToWait(key, effective[key], said);
          expect(hasToWait(key, effective[key], value)).toBe(false);
          // Of clients, what is stricter of them counts beside what waits.
          if (key !== "approval.clients") expect(value).toEqual(waits ? effective[key] : said);
          else if (!waits) expect(value).toEqual(said);
          expect(waiting.some((one) => one.key === key)).toBe(waits);
        }
        // All else is as the file says, but for a banner that would come after the end.
        const { timeoutSeconds, bannerDelaySeconds } = settings.approval;
        if (timeoutSeconds !== 0) expect(bannerDelaySeconds).toBeLessThan(timeoutSeconds);
        expect(bannerDelaySeconds).toBeLessThanOrEqual(file.approval.bannerDelaySeconds);
        expect(settings.notify.enabled).toBe(file.notify.enabled);
      }),
    );
  });

  test("has of clients what is stricter in the file, also where something else of them waits", () => {
    const accepted = { "approval.clients": { x: { shell: false }, z: { shell: false, dialog: false } } };
    const clients = {
      x: { shell: true, dialog: true },
      y: { dialog: false, unseenDecline: "cancel", holdSeconds: 5 },
      z: { shell: false },
    };
    const { settings, waiting } = inForce(settingsOf({ approval: { clients } }), accepted);
    const counts = {
      x: { shell: true },
      y: { dialog: false, holdSeconds: 5 },
      z: { shell: false, dialog: false },
    };
    expect(settings.approval.clients).toEqual(counts);
    expect(waiting).toEqual([{ key: "approval.clients", accepted: counts, file: clients }]);
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
