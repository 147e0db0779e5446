/** The three files that a person accepts, each compared with what was accepted of it. */
import { homedir } from "node:os";
import { isAbsolute } from "node:path";
import {
  type AcceptProposal,
  configProposal,
  type Keys,
  policyProposal,
  rememberedProposal,
} from "../../broker/index.js";
import type { Terminal } from "../terminal.js";

/** Reads all of them, in the order in which they are shown. Never throws for what stands in the files. */
export function proposalsIn(
  home: string,
  keys: Pick<Keys, "existingKey">,
  { HOME: named = "" }: Terminal["environment"],
): readonly AcceptProposal[] {
  const homeDirectory = isAbsolute(named) ? named : homedir();
  return [
    policyProposal({ home, keys, homeDirectory }),
    rememberedProposal(home, keys),
    configProposal(home, keys),
  ];
}

/** `2 looser, 1 tighter` */
export function countText({ changes }: Pick<AcceptProposal, "changes">): string {
  const looser = changes.filter(({ isLooser }) => isLooser).length;
  const tighter = changes.length - looser;
  const parts = [
    ...(looser === 0 ? [] : [`${looser} looser`]),
    ...(tighter === 0 ? [] : [`${tighter} tighter`]),
  ];
  return parts.join(", ");
}
