/** Whether the secret of this home can be used: what it sealed counts for nothing without it. */
import { lstatSync } from "node:fs";
import { join } from "node:path";
import { type Home, type RootSecret, sealedNames, shownText } from "../../broker/index.js";
import { quoted } from "../../face/quote.js";
import { type Check, failure, ok, warning } from "./check.js";
import { unusable } from "./unusable.js";

/** Reads the secret as every program does, and looks at the files beside it; makes nothing. */
export function checkKeys({ path }: Home, keys: Pick<RootSecret, "existingKey">): Check {
  const directory = join(path, "keys");
  let hasSecret: boolean;
  try {
    hasSecret = keys.existingKey("wisp/doctor/v1") !== null;
  } catch (error) {
    return unusable("keys", error);
  }
  const open = [
    "root",
    "audit",
    "audit-anchor",
    "sealed-names",
    ...sealedNames.map((name) => join("sealed", name)),
  ]
    .map((name) => join(directory, name))
    .filter((one) => ((lstatSync(one, { throwIfNoEntry: false })?.mode ?? 0) & 0o077) !== 0);
  if (open.length > 0) {
    const files = open.map(shownText).join(", ");
    return failure("keys", `open to others: ${files}`, `chmod 600 ${open.map(quoted).join(" ")}`);
  }
  const hasSealed = ["sealed", "audit"].some((name) =>
    lstatSync(join(directory, name), { throwIfNoEntry: false }),
  );
  if (hasSecret) return ok("keys", "the secret of this home is there, and ours alone");
  if (!hasSealed) return ok("keys", "none is made yet");
  const lost = `${shownText(join(directory, "root"))} is gone: what it sealed counts as if it had never been accepted`;
  return warning("keys", lost, "Put it back from a copy, or accept again what you want.");
}
