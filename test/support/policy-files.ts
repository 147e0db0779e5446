/** The person's policy in a home, as they wrote it, and as they accepted it. */
import { chmodSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { ensureHome, homeAt } from "../../src/broker/channel/home.js";
import { writeAccepted } from "../../src/broker/files/sealed.js";
import { rootSecretOf } from "../../src/broker/identity/root-secret.js";
import { systemClock } from "../../src/broker/system/clock.js";

/** The lists of a policy: rules as texts or as objects. */
export type PolicyLists = Partial<Record<"deny" | "ask" | "allow", readonly unknown[]>>;

/** Writes `policy.json` into the home at `path`, which is made for it: one rule a line. */
export function writePolicy(path: string, lists: PolicyLists | string): string {
  ensureHome(homeAt(path, false), systemClock);
  const text = typeof lists === "string" ? lists : policyText(lists);
  const file = join(path, "policy.json");
  writeFileSync(file, text, { mode: 0o600 });
  chmodSync(file, 0o600);
  return text;
}

/** The same, and what it lets through is in force. */
export async function acceptPolicy(path: string, lists: PolicyLists): Promise<void> {
  const text = writePolicy(path, lists);
  const home = homeAt(path, false);
  const place = { path, ensureHome: () => ensureHome(home, systemClock), clock: systemClock };
  await writeAccepted(place, "policy.json", text, rootSecretOf(place));
}

/** The rules of a project, which may tighten alone. */
export function writeProjectPolicy(directory: string, lists: PolicyLists): void {
  mkdirSync(join(directory, ".wisp"), { recursive: true });
  writeFileSync(join(directory, ".wisp", "policy.json"), policyText(lists));
}

function policyText(lists: PolicyLists): string {
  const parts = Object.entries(lists).map(
    ([list, rules]) =>
      `    "${list}": [\n${rules.map((rule) => `      ${JSON.stringify(rule)}`).join(",\n")}\n    ]`,
  );
  return `{\n  "permissions": {\n${parts.join(",\n")}\n  }\n}\n`;
}
