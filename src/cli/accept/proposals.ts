/** The three files that a person accepts, each compared with what was accepted of it. */
import {
  type AcceptChange,
  type AcceptProposal,
  type ChangeEffect,
  configProposal,
  homeDirectoryOf,
  type Keys,
  policyProposal,
  rememberedProposal,
} from "../../broker/index.js";
import type { Terminal } from "../terminal.js";

/** Reads all of them, in the order in which they are shown. Never throws for what stands in the files. */
export function proposalsIn(
  home: string,
  keys: Pick<Keys, "existingKey">,
  environment: Terminal["environment"],
): readonly AcceptProposal[] {
  return [
    policyProposal({ home, keys, homeDirectory: homeDirectoryOf(environment) }),
    rememberedProposal(home, keys),
    configProposal(home, keys),
  ];
}

/** Is it in force only once it was accepted? */
export function isWaiting({ effect }: Pick<AcceptChange, "effect">): boolean {
  return effect !== "tighter";
}

/** `2 looser, 1 tighter`, over all of them. */
export function countText(proposals: readonly Pick<AcceptProposal, "changes" | "distrust">[]): string {
  const changes = proposals.flatMap((one) => one.changes);
  const counts = (["looser", "unclear", "tighter"] as const).flatMap((wanted) => {
    const count = changes.filter(({ effect }) => effect === wanted).length;
    return count === 0 ? [] : [`${count} ${effectWords[wanted]}`];
  });
  const copies = proposals.filter(({ distrust }) => distrust !== null).length;
  const text = copies === 1 ? "a new copy" : `${copies} new copies`;
  return [...counts, ...(copies === 0 ? [] : [text])].join(", ");
}

/** As they stand beside a number, and before a change. */
export const effectWords: Readonly<Record<ChangeEffect, string>> = {
  looser: "looser",
  unclear: "may be looser",
  tighter: "tighter",
};
