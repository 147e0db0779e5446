/**
 * The rules of one home as they stand. Invariant: every verdict is by the files as they are at that moment; tightening is
 * in force at once, and what would let more through is not before it was accepted.
 */
import { join } from "node:path";
import type { ChangeEffect } from "../files/proposal.js";
import type { WispError } from "../request/errors.js";
import type { Keys } from "../request/seal.js";
import type { Clock } from "../system/clock.js";
import { callLook } from "./call-look.js";
import type { RuleSet } from "./evaluate.js";
import { type Standing, verdictOn } from "./judge.js";
import { createKnownVerdicts } from "./known-verdicts.js";
import { type LoadedRules, openRuleFiles, policyFileName, type RuleFiles } from "./load.js";
import type { PathLook } from "./path-place.js";
import type { FileStanding, Policy, PolicyStanding } from "./policy.js";
import { createProjectPlaces, realOf } from "./project-files.js";
import { type ProjectRules, rulesOfProjects } from "./project-rules.js";
import type { RememberedListing, RememberedRules } from "./remembered.js";
import { rememberedFileName } from "./remembered-file.js";
import { type RuleLists, ruleCount } from "./rule.js";
import { isReordered, ruleChanges } from "./rule-changes.js";
import { policyFault } from "./rules.js";
import { type Changed, unchanged, waitingNotices, waitingText, waitsOf, waitsOfRemembered } from "./waits.js";

/** Where the rules are, and what is known of this machine. */
export interface PolicyOptions {
  /** The path of the home of wisp; it may not be made yet. */
  readonly home: string;
  readonly keys: Pick<Keys, "existingKey">;
  readonly remembered: Pick<RememberedRules, "list">;
  /** What `~` stands for: an absolute path. */
  readonly homeDirectory: string;
  /** Where the server, or the command, was started; the rules of projects around it count as well. */
  readonly startDirectory: string;
  readonly clock: Clock;
  /** Where paths lead; looked at anew for each call where it is left out. */
  readonly look?: PathLook;
}

/** Opens the rules. Nothing is read or made before the first verdict. */
export function openPolicy(options: PolicyOptions): Policy {
  const { home, remembered, homeDirectory, startDirectory, clock, look } = options;
  const files = openRuleFiles(options);
  const compare = createComparison();
  const placesAbove = createProjectPlaces([home, realOf(home), join(homeDirectory, ".wisp")]);
  const stand = createStanding();
  const known = createKnownVerdicts();
  const lookAround = (directory: string | null, seen: PathLook): Looked => {
    const directories = new Set(directory === null ? [startDirectory] : [directory, startDirectory]);
    const projects = rulesOfProjects(files, [...directories], placesAbove, seen);
    return looked(files, projects, remembered.list(), compare);
  };
  return {
    judge(judged, settings) {
      const seen = (judged.kind === "tool" ? judged.look : undefined) ?? look ?? callLook();
      const at = { home, homeDirectory, look: seen, now: clock.now() };
      return verdictOn(judged, stand(lookAround(judged.directory, seen)), settings, at, known);
    },
    standing: () => standingOfFiles(lookAround(null, look ?? callLook()), home),
  };
}

/** Everything as it was found at one moment. */
interface Looked {
  readonly own: LoadedRules;
  readonly accepted: ReturnType<RuleFiles["accepted"]>;
  readonly projects: readonly ProjectRules[];
  readonly remembered: RememberedListing;
  readonly changed: Changed;
}

function looked(
  files: RuleFiles,
  projects: Looked["projects"],
  remembered: RememberedListing,
  compare: ReturnType<typeof createComparison>,
): Looked {
  const own = files.own();
  const accepted = files.accepted();
  return {
    own,
    accepted,
    projects,
    remembered,
    changed: compare(own, accepted),
  };
}

/** Compares both, and again only when one of them is another. */
function createComparison(): (own: LoadedRules, accepted: LoadedRules) => Changed {
  let compared: {
    readonly own: LoadedRules;
    readonly accepted: LoadedRules;
    readonly changed: Changed;
  } | null = null;
  return (own, accepted) => {
    // What a file that cannot be used would change is not known.
    if (own.fault !== null) return unchanged;
    if (compared?.own !== own || compared.accepted !== accepted) {
      const effects = ruleChanges(accepted.lists, own.lists).map(({ effect }) => effect);
      const count = (one: ChangeEffect): number => effects.filter((effect) => effect === one).length;
      const changed = {
        looser: count("looser"),
        unclear: count("unclear"),
        tighter: count("tighter"),
        isReordered: isReordered(accepted.lists, own.lists),
      };
      compared = { own, accepted, changed };
    }
    return compared.changed;
  };
}

/** What stands follows from what was found, and mostly that is what was found for the call before. */
function createStanding(): (found: Looked) => Standing {
  let known: { readonly found: Looked; readonly standing: Standing } | null = null;
  return (found) => {
    if (known === null || !isFoundAgain(known.found, found)) known = { found, standing: standingOf(found) };
    return known.standing;
  };
}

/** Lists that are made anew count as others. */
function isFoundAgain(a: Looked, b: Looked): boolean {
  return (
    a.own === b.own &&
    a.accepted === b.accepted &&
    a.projects === b.projects &&
    a.remembered === b.remembered &&
    a.changed === b.changed
  );
}

function standingOf(found: Looked): Standing {
  const { own, accepted, projects, remembered, changed } = found;
  const rulesOfProjects = projects.map(({ lists }) => lists);
  const isEmpty = !accepted.isThere;
  const setOf = (lists: RuleLists): RuleSet => ({ own: lists, projects: rulesOfProjects, isEmpty });
  // Where nothing changed since, one of both says it all.
  const { looser, unclear, tighter } = changed;
  const isSame = own.fault === null && looser + unclear + tighter === 0 && !changed.isReordered;
  return {
    sets:
      isSame || own.fault !== null
        ? [setOf(isSame ? own.lists : accepted.lists)]
        : [setOf(own.lists), setOf(accepted.lists)],
    // Those that are over match nothing, but say why a call is asked about again.
    remembered: remembered.fault === null ? [...remembered.rules, ...remembered.over] : [],
    fault: faultOf(found),
    notices: noticesOf(found),
  };
}

function faultOf(found: Looked): string | null {
  const isFaulty = faultsOf(found).length > 0 || found.remembered.fault !== null;
  if (isFaulty) return "a file of rules cannot be used";
  // What a copy denied that counts for nothing now, nobody knows.
  return found.accepted.distrust === null ? null : "nobody can say which rules were accepted";
}

function faultsOf({ own, accepted, projects }: Looked): readonly WispError[] {
  return [own, accepted, ...projects].flatMap(({ fault }) => (fault === null ? [] : [fault]));
}

/** More are in `wisp policy check` of the file itself. */
const mostRefused = 5;

function noticesOf(found: Looked): readonly string[] {
  const { accepted, projects, remembered } = found;
  const refused = projects.flatMap((one) => one.refused);
  return [
    ...faultsOf(found).map(({ message }) => message),
    ...(remembered.fault === null ? [] : [`${rememberedFileName} cannot be used: ${remembered.fault}`]),
    ...waitingNotices(policyFileName, waitsOf(found.changed), accepted.distrust),
    ...waitingNotices(rememberedFileName, waitsOfRemembered(remembered), remembered.distrust),
    ...refused.slice(0, mostRefused),
    ...(refused.length > mostRefused ? [`and ${refused.length - mostRefused} more`] : []),
  ];
}

function standingOfFiles(found: Looked, home: string): PolicyStanding {
  const { own, accepted, projects, remembered, changed } = found;
  const { looser, unclear, tighter } = changed;
  const rememberedPath = join(home, rememberedFileName);
  const { unaccepted } = remembered;
  const files: readonly FileStanding[] = [
    {
      ...fileOf("policy", join(home, policyFileName), policyFileName, own),
      looser: looser + unclear,
      tighter,
      waits: waitingText(waitsOf(changed), accepted.distrust),
    },
    {
      kind: "remembered",
      path: rememberedPath,
      name: rememberedFileName,
      isThere: remembered.fault !== null || remembered.rules.length + unaccepted.length > 0,
      fault:
        remembered.fault === null
          ? null
          : policyFault(rememberedFileName, rememberedPath, [remembered.fault]),
      rules: remembered.rules.length,
      looser: unaccepted.length,
      tighter: 0,
      waits: waitingText(waitsOfRemembered(remembered), remembered.distrust),
    },
    ...projects.map((one) => fileOf("project", one.path, one.path, one)),
  ];
  return { files, notices: noticesOf(found) };
}

function fileOf(kind: FileStanding["kind"], path: string, name: string, loaded: LoadedRules): FileStanding {
  const { isThere, fault, lists } = loaded;
  return { kind, path, name, isThere, fault, rules: ruleCount(lists), looser: 0, tighter: 0, waits: null };
}
