/** The keys of `config.json` that can loosen, as they stand, against what was accepted of them. */
import { join } from "node:path";
import { jsonPlaces } from "../files/json-places.js";
import { type AcceptChange, type AcceptProposal, digestOf } from "../files/proposal.js";
import { readBytes } from "../files/read.js";
import { readAccepted } from "../files/sealed.js";
import { canonicalJson } from "../request/binding.js";
import type { Keys } from "../request/seal.js";
import { acceptedBy, configFileName, largestConfigBytes, readConfig } from "./load.js";
import { acceptedValues, acceptedValuesOf, effectOf, sealedKeys } from "./sealed-keys.js";

/** Reads both. Never throws for what stands in the files. */
export function configProposal(home: string, keys: Pick<Keys, "existingKey">): AcceptProposal {
  const { settings, fault } = readConfig(home);
  const accepted = readAccepted(home, configFileName, keys);
  const before = accepted.kind === "accepted" ? canonicalJson(acceptedValues(accepted.value)) : null;
  const distrust = accepted.kind === "untrusted" ? accepted.reason : null;
  const shared = {
    name: configFileName,
    fault,
    distrust,
    rewritten: null,
    before: digestOf(before),
  } as const;
  if (fault !== null) return { ...shared, changes: [], value: null, after: null };
  const values = acceptedValuesOf(settings);
  const counted = acceptedBy(accepted);
  const lineOf = linesIn(home);
  const changes = sealedKeys.flatMap((key): readonly AcceptChange[] => {
    const effect = effectOf(key, counted[key], values[key]);
    if (effect === "same") return [];
    const details = [`${valueText(counted[key])} → ${valueText(values[key])}`];
    return [{ sign: "~", list: "key", text: key, details, line: lineOf(key), effect }];
  });
  return { ...shared, changes, value: values, after: digestOf(canonicalJson(values)) };
}

function valueText(value: unknown): string {
  return JSON.stringify(value);
}

/** The lines of keys; where a key does not stand in the file there is none. What counts was read by itself. */
function linesIn(home: string): (key: string) => number | null {
  const read = readBytes(join(home, configFileName), largestConfigBytes);
  if (read.kind !== "bytes") return () => null;
  const { lineOfKey } = jsonPlaces(Buffer.from(read.bytes).toString("utf8"));
  return (key) => lineOfKey(key.split("."));
}
