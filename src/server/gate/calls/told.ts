/**
 * What a client was told of its server's tools in this connection. A model has read all of it: nothing that was said once
 * is forgotten because something else was said later, nor because much was.
 */
import { sha256Hex } from "../../../broker/index.js";
import { mostTools, type ToldDefinition, type ToolDefinition } from "./tool-list.js";

/** Of one connection. */
export interface Told {
  /** The client heard this of the tool of that name; null for several of the name, or what cannot be compared. */
  add(name: string, tool: ToolDefinition | null): void;
  /** It heard a list that can be read in two ways, of whichever tools. */
  addUnclear(): void;
  /** What was told last of those that are something else than `tool` and were not accepted with it; null for none. */
  otherwise(tool: ToolDefinition): ToldDefinition | null;
  /** A person saw what was told and `tool`, and said yes: until something else is told, or `tool` is another, they count as one. */
  accept(tool: ToolDefinition): void;
}

/** So many different ones of one tool are kept; after more nobody can say what was told. */
const mostOfOne = 8;

/** Nothing was told yet. */
export function createTold(): Told {
  /** By name, then by hash, in the order in which they were told. */
  const told = new Map<string, Map<string, ToldDefinition>>();
  /** Pairs of hashes: what was told, and what was judged by. */
  const accepted = new Set<string>();
  let isCut = false;

  function keep(name: string): Map<string, ToldDefinition> | null {
    const known = told.get(name);
    if (known !== undefined) return known;
    if (told.size >= mostTools) return null;
    const made = new Map<string, ToldDefinition>();
    told.set(name, made);
    return made;
  }

  /** Of a name without a record nothing was told, unless there was no room for it. */
  function toldOf(name: string): readonly ToldDefinition[] {
    const known = told.get(name);
    if (known !== undefined) return [...known.values()];
    return isCut ? [unclear] : [];
  }

  return {
    add(name, tool) {
      const one = tool ?? unclear;
      const known = keep(name);
      if (known === null) {
        isCut = true;
        return;
      }
      known.delete(one.hash);
      known.set(known.size < mostOfOne ? one.hash : unclear.hash, known.size < mostOfOne ? one : unclear);
    },
    addUnclear() {
      isCut = true;
      for (const known of told.values()) {
        known.delete(unclear.hash);
        known.set(unclear.hash, unclear);
      }
    },
    otherwise(tool) {
      const others = toldOf(tool.name).filter(
        ({ hash }) => hash !== tool.hash && !accepted.has(pairOf(hash, tool)),
      );
      return others.at(-1) ?? null;
    },
    accept(tool) {
      if (accepted.size >= mostTools) accepted.clear();
      for (const { hash } of toldOf(tool.name)) accepted.add(pairOf(hash, tool));
    },
  };
}

const unclear: ToldDefinition = {
  hash: sha256Hex("wisp/told-unclearly/v1"),
  text: "(several tools of that name, or what cannot be compared or read in one way)",
};

function pairOf(toldHash: string, { name, hash }: ToolDefinition): string {
  return `${toldHash} ${hash} ${name}`;
}
