/** The keys of `config.json` that can loosen, as they stand, against what was accepted of them. */
import { join } from "node:path";
import { isDeepStrictEqual } from "node:util";
import { type AcceptChange, type AcceptProposal, digestOf } from "../files/proposal.js";
import { readBytes } from "../files/read.js";
import { readAccepted } from "../files/sealed.js";
import { canonicalJson } from "../request/binding.js";
import type { Keys } from "../request/seal.js";
import { configFileName, largestConfigBytes, readConfig } from "./load.js";
import { acceptedValues, acceptedValuesOf, isLooser, sealedKeys } from "./sealed-keys.js";
import { defaultSettings } from "./settings.js";

/** Reads both. Never throws for what stands in the files. */
export function configProposal(home: string, keys: Pick<Keys, "existingKey">): AcceptProposal {
  const { settings, fault } = readConfig(home);
  const accepted = readAccepted(home, configFileName, keys);
  const old = accepted.kind === "accepted" ? acceptedValues(accepted.value) : {};
  const before = accepted.kind === "accepted" ? canonicalJson(old) : null;
  const shared = { name: configFileName, fault, before: digestOf(before) } as const;
  if (fault !== null) return { ...shared, changes: [], value: null, after: null };
  const values = acceptedValuesOf(settings);
  const inForce = { ...acceptedValuesOf(defaultSettings), ...old };
  const text = textIn(home);
  const changes = sealedKeys.flatMap((key): readonly AcceptChange[] => {
    if (isDeepStrictEqual(inForce[key], values[key])) return [];
    const details = [`${valueText(inForce[key])} → ${valueText(values[key])}`];
    const line = lineOf(key, text);
    return [
      {
        sign: "~",
        list: "key",
        text: key,
        details,
        line,
        isLooser: isLooser(key, inForce[key], values[key]),
      },
    ];
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
