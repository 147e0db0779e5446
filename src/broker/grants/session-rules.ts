/** Handles by which other processes see and revoke the rules that a connection holds in memory. */
import { join } from "node:path";
import { fileNameOf, type HomePlace, makeDirectories } from "../files/home-place.js";
import { lookAt } from "../files/look.js";
import { publish } from "../files/publish.js";
import { removeQuietly } from "../files/remove.js";
import { newIdentifier } from "../request/identifier.js";
import { noteUse, ruleText } from "./grant-file.js";
import type { GrantStore, Moment, SessionRule } from "./grant-store.js";
import { type LifeWatch, remainingMs } from "./life.js";
import { spentFor, spentNames } from "./places.js";
import { isSpentThere, removeUncertain } from "./uncertain.js";

/** The part of `GrantStore` that is about rules; their files lie in `directory`. */
export function sessionRules(
  options: HomePlace & { readonly moment: () => Moment },
  directory: string,
  lives: LifeWatch,
): Pick<GrantStore, "keepRule" | "isRuleKept" | "noteRuleUsed" | "endRule"> {
  const { clock, moment } = options;
  const kept = new Map<string, SessionRule>();

  /** Is its file where it was put, and not revoked? A file that comes back later does not count. */
  function isThere(id: string): boolean {
    const name = fileNameOf(id);
    const isFile = lookAt(join(directory, name))?.isFile() === true;
    return isFile && isSpentThere(directory) && lookAt(join(spentFor(directory), name)) === null;
  }

  return {
    keepRule({ rule, client, directory: place, request, server }, forMs, idleMs) {
      removeUncertain(directory);
      makeDirectories(options, ...spentNames);
      makeDirectories(options, "grants");
      for (;;) {
        const id = newIdentifier((size) => clock.randomBytes(size));
        const from = moment();
        const ages = { life: { from, forMs }, idle: { from, forMs: idleMs } };
        const one = { id, rule, client, directory: place, request, server, ...ages };
        // It means nothing without the memory of this process, so it need not outlive a crash.
        if (!publish(directory, fileNameOf(id), ruleText(one), clock)) continue;
        kept.set(id, one);
        noteUse(directory, one);
        return id;
      }
    },
    isRuleKept(id) {
      const rule = kept.get(id);
      if (rule === undefined) return false;
      const isIdle = remainingMs(rule.idle, moment()) === null;
      if (isThere(id) && lives.isAlive(id, rule.life) && !isIdle) return true;
      kept.delete(id);
      return false;
    },
    noteRuleUsed(id) {
      const rule = kept.get(id);
      if (rule === undefined) return;
      const used = { ...rule, idle: { ...rule.idle, from: moment() } };
      kept.set(id, used);
      noteUse(directory, used);
    },
    endRule(id) {
      if (kept.delete(id)) removeQuietly(join(directory, fileNameOf(id)));
    },
  };
}
