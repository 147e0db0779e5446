/** The keys of `config.json` that can loosen, as they stand, against what was accepted of them. */
import { join } from "node:path";
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
  const shared = { name: configFileName, fault, distrust, before: digestOf(before) } as const;
  if (fault !== null) return { ...shared, changes: [], value: null, after: null };
  const values = acceptedValuesOf(settings);
  const counted = acceptedBy(accepted);
  const text = textIn(home);
  const changes = sealedKeys.flatMap((key): readonly AcceptChange[] => {
    const effect = effectOf(key, counted[key], values[key]);
    if (effect === "same") return [];
    const details = [`${valueText(counted[key])} → ${valueText(values[key])}`];
    return [{ sign: "~", list: "key", text: key, details, line: lineOf(key, text), effect }];
  });
  return { ...shared, changes, value: values, after: digestOf(canonicalJson(values)) };
}

function valueText(value: unknown): string {
  return JSON.stringify(value);
}

/** For the places of keys alone: what counts was read by itself. */
function textIn(home: string): string {
  const read = readBytes(join(home, configFileName), largestConfigBytes);
  return read.kind === "bytes" ? Buffer.from(read.bytes).toString("utf8") : "";
}

/** The line, from 1, on which the last part of a key stands for the only time; null where that is not certain. */
function lineOf(key: string, text: string): number | null {
  const name = key.slice(key.lastIndexOf(".") + 1);
  const found = text.split("\n").flatMap((line, index) => (line.includes(`"${name}"`) ? [index + 1] : []));
  return found.length === 1 ? (found[0] ?? null) : null;
}
