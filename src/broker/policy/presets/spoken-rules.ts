/**
 * Which rules of a preset speak of a call. Mostly the arguments have no part in that: then it is found once for each tool,
 * and is the same object for each call of it.
 */
import { argumentsAt } from "../argument-path.js";
import { graveVerbs } from "../grave-names.js";
import { type ToolRule, type ToolRules, toolRulesOf } from "../tool-rules.js";
import type { JudgedTool } from "../verdict.js";
import { crossesTop, type FileSurroundings, isNamedPlace, mayHoldMore, mayReplace } from "./files-meant.js";
import { holdsGuarded } from "./guarded-places.js";
import type { AskData, FloorData, PresetData } from "./preset-data.js";

/** What a preset says of one call. */
export interface PresetWord {
  readonly name: "ask" | "allow";
  readonly rule: ToolRule;
  /** In words for a person; null where the rule says all. */
  readonly why: string | null;
}

/** Why a call asks, whatever rules say. */
export type Floor = Pick<FloorData, "level" | "why">;

/** By the first rule of each list that speaks of a call, and by every floor. */
export interface Spoken {
  readonly asks: PresetWord | null;
  /** In words for a person: what a yes to what is asked about does not hold; null where nothing is said of that. */
  readonly unbound: string | null;
  readonly allows: PresetWord | null;
  readonly floors: readonly Floor[];
  /** Does the same speak of each call of the tool? */
  readonly isByName: boolean;
}

/** Finds it, for one preset. */
export interface SpokenRules {
  /** All of them, as they are written. */
  readonly lists: ToolRules["lists"];
  speakingOf(call: Pick<JudgedTool, "tool" | "arguments" | "look">): Spoken;
}

/**
 * `name` is what messages call the preset, and `server` what rules call its server: who copies a rule that spoke writes it for
 * that. Throws policy_invalid for rules that are none.
 */
export function spokenRulesOf(
  data: PresetData,
  name: string,
  around: FileSurroundings,
  server = data.name,
): SpokenRules {
  const { ask, allow } = data.permissions;
  const { homeDirectory, directory } = around;
  const rules = toolRulesOf({ ...data.permissions, ask: ask.map(plainRule), allow }, name, homeDirectory);
  const floors: readonly FloorData[] = [...data.floors, ...graveFloorsOf(data.name)];
  const floorRules = toolRulesOf({ ask: floors.map(ruleOf) }, name, homeDirectory);
  const known = new Map<string, Spoken>();
  const own = `mcp__${data.name}__`;
  const called = (rule: ToolRule): ToolRule =>
    server !== data.name && rule.text.startsWith(own)
      ? { ...rule, text: `mcp__${server}__${rule.text.slice(own.length)}` }
      : rule;

  /** What is named below, and does not look at arguments, is so for each call. */
  function isByName(judged: JudgedTool): boolean {
    const areNamed =
      rules.areByName("ask", judged) &&
      rules.areByName("allow", judged) &&
      floorRules.areByName("ask", judged);
    return (
      areNamed &&
      rules.speaking("ask", judged).every(({ index }) => ask[index]?.unnamed === undefined) &&
      floorRules.speaking("ask", judged).every(({ index }) => !looksAtArguments(floors[index]))
    );
  }

  return {
    lists: rules.lists,
    speakingOf(call) {
      const before = known.get(call.tool);
      if (before !== undefined) return before;
      const judged: JudgedTool = { kind: "tool", server: data.name, directory, ...call };
      const asking = rules
        .speaking("ask", judged)
        .find(({ index }) => isAsked(ask[index]?.unnamed, call.arguments, around));
      const [allowing] = rules.speaking("allow", judged);
      const by = asking === undefined ? null : (ask[asking.index] ?? null);
      const spoken: Spoken = {
        asks: asking === undefined ? null : { name: "ask", rule: called(asking), why: by?.why ?? null },
        unbound: by?.unbound ?? null,
        allows: allowing === undefined ? null : { name: "allow", rule: called(allowing), why: null },
        floors: floorRules
          .speaking("ask", judged)
          .flatMap(({ index }) => floors[index] ?? [])
          .filter((floor) => isMeant(floor, call.arguments, around))
          .map(({ level, why }) => ({ level, why })),
        isByName: isByName(judged),
      };
      if (!spoken.isByName) return spoken;
      if (known.size >= mostKnown) known.clear();
      known.set(call.tool, spoken);
      return spoken;
    },
  };
}

/** More tools than any server has. */
const mostKnown = 1_000;

function plainRule({ unnamed: _unnamed, why: _why, unbound: _unbound, ...rule }: AskData): object {
  return rule;
}

function graveFloorsOf(server: string): readonly FloorData[] {
  return graveVerbs.map(([verb, why]) => ({ rule: `mcp__${server}__*${verb}*`, level: "high", why }));
}

function ruleOf({ rule, level, when }: FloorData): object {
  return { rule, level, ...(when === undefined ? {} : { when }) };
}

function looksAtArguments(floor: FloorData | undefined): boolean {
  const { replaces, holds, carries, crosses } = floor ?? {};
  return [replaces, holds, carries, crosses].some((one) => one !== undefined);
}

/** What cannot be told counts as a place that nobody named. */
function isAsked(unnamed: string | undefined, given: unknown, around: FileSurroundings): boolean {
  if (unnamed === undefined) return true;
  const found = argumentsAt(unnamed, given);
  return found === null || found.some((path) => !isNamedPlace(path, around));
}

function isMeant(
  { replaces, crosses, holds, carries }: FloorData,
  given: unknown,
  around: FileSurroundings,
): boolean {
  const at = (path: string): readonly unknown[] => argumentsAt(path, given) ?? [null];
  if (replaces !== undefined) return at(replaces).some((path) => mayReplace(path, around));
  if (carries !== undefined) return at(carries).some((path) => mayHoldMore(path, around));
  if (holds !== undefined) return at(holds).some((path) => holdsGuarded(path, around));
  if (crosses === undefined) return true;
  const [from, to] = crosses;
  return at(from).some((source) => at(to).some((target) => crossesTop(source, target, around)));
}
