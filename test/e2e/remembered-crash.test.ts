/** Remembered rules, when whoever changes them is killed before any step, and when several change them at one instant. */
import { cpSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { openRememberedRules } from "../../src/broker/policy/remembered-store.js";
import { dayMs, ruleDraft } from "../support/remembered.js";
import { rememberedOptions } from "../support/remembered-home.js";
import { tempDirectory } from "../support/temp-home.js";
import { atEachStep, type FaultAt, startWorker } from "../support/workers.js";

const open = (path: string) => openRememberedRules(rememberedOptions(path));
const newRule = ruleDraft(Date.now() - 1_000, { rule: "Bash(new)" });

/** A home with one rule that stays, and one that is over in a moment or taken back. */
async function keptHome(isOver: boolean) {
  const path = join(tempDirectory(), "home");
  const first = startWorker(
    "rule-keeper",
    path,
    {
      WISP_TEST_DO: JSON.stringify({
        verb: "remember",
        rule: ruleDraft(Date.now() - 2_000, { rule: "Bash(stays)" }),
      }),
    },
    null,
  );
  await first.ended;
  const past = Date.now() - 40 * dayMs;
  const draft = isOver
    ? ruleDraft(past, { rule: "Bash(goes)" })
    : ruleDraft(Date.now() - 1_000, { rule: "Bash(goes)" });
  const goes = await open(path).remember(draft);
  return { path, goes };
}

const verbs = ["remember", "revoke", "expire"] as const;

test.each(verbs)(
  "SIGKILL before each step of %s leaves no rule or the whole one, and the next writer goes on",
  async (verb) => {
    const { path, goes } = await keptHome(verb === "expire");
    const what = JSON.stringify({ verb, rule: newRule, id: goes.id });
    const runIn = async (home: string, faultAt: FaultAt) => {
      const worker = startWorker("rule-keeper", home, { WISP_TEST_DO: what }, faultAt);
      return { worker, ended: await worker.ended };
    };
    const whole = join(tempDirectory(), "home");
    cpSync(path, whole, { recursive: true });
    const { worker } = await runIn(whole, { step: 0, fault: "SIGKILL" });
    const steps = worker.steps();
    expect(steps.filter((step) => step.startsWith("renameSync")).length).toBe(2);
    await atEachStep(steps, async (step, where) => {
      const home = join(tempDirectory(), "home");
      cpSync(path, home, { recursive: true });
      const { ended } = await runIn(home, { step, fault: "SIGKILL" });
      expect(ended, where).toBe("SIGKILL");
      const found = open(home).list();
      expect(found.fault, where).toBeNull();
      const texts = found.rules.map(({ rule }) => rule).sort();
      expect(texts, where).toContain("Bash(stays)");
      if (verb === "remember") {
        expect(
          [
            ["Bash(goes)", "Bash(stays)"],
            ["Bash(goes)", "Bash(new)", "Bash(stays)"],
          ],
          where,
        ).toContainEqual(texts);
        // What was to be remembered is in force whole, or waits for nobody: it was sealed before it stood there.
        expect(found.unaccepted, where).toEqual([]);
      } else if (verb === "revoke") {
        expect(found.rules.length + found.unaccepted.length, where).toBeLessThanOrEqual(2);
      } else expect(texts, where).toEqual(["Bash(stays)"]);
      const next = await open(home).remember({ ...newRule, rule: "Bash(next)" });
      expect(open(home).list().rules, where).toContainEqual(next);
      await open(home).revoke(goes.id);
      expect(
        open(home)
          .list()
          .rules.map(({ id }) => id),
        where,
      ).not.toContain(goes.id);
      expect(readdirSync(join(home, "keys", "sealed")), where).not.toContain("lock");
    });
  },
  300_000,
);

test("of four processes that remember and take back at one instant nothing is lost", async () => {
  const path = join(tempDirectory(), "home");
  const workers = Array.from({ length: 4 }, () => startWorker("rule-keeper", path, {}, null));
  for (const { child } of workers) child.setMaxListeners(0);
  await Promise.all(workers.map((worker) => worker.told("ready")));
  const rules = open(path);
  for (let round = 0; round < 10; round += 1) {
    const at = Date.now() + 20;
    for (const [index, { child }] of workers.entries()) {
      child.send({ round, at, verb: "remember", rule: { ...newRule, rule: `Bash(${index})` } });
    }
    const ids = await Promise.all(workers.map((worker) => worker.told<string>(`round ${round}`)));
    expect(new Set(rules.list().rules.map(({ id }) => id))).toEqual(new Set(ids));
    const back = Date.now() + 20;
    for (const [index, { child }] of workers.entries()) {
      child.send({ round: `back ${round}`, at: back, verb: "revoke", id: ids[index] });
    }
    const did = await Promise.all(workers.map((worker) => worker.told<boolean>(`round back ${round}`)));
    expect([did, rules.list().rules]).toEqual([[true, true, true, true], []]);
  }
}, 120_000);
