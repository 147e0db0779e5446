/** What is known of a published server, in the policy's own rule form. Pure data, read by open-preset.ts. */
import type { ListingSpec } from "../../request/listing-spec.js";
import type { PreviewSpec } from "../../request/preview-spec.js";
import type { Level } from "../../request/request.js";

/** One server. Its rules name it by `name`, whatever the gate is called. */
export interface PresetData {
  readonly name: string;
  /** Of npm with their scope, and of PyPI. */
  readonly packages: readonly string[];
  /** Programs that a package installs, and modules that Python runs. */
  readonly programs: readonly string[];
  readonly images: readonly string[];
  /** Where it can be reached, up to the end of the path. */
  readonly addresses: readonly string[];
  /** RFC 9535 paths of the arguments that name files of this machine. */
  readonly paths: readonly string[];
  /** Those of them whose whole tree a call takes elsewhere. */
  readonly moved: readonly string[];
  /** As below `permissions` in a file of rules. `allow` is what only reads; every rule of `ask` says its state. */
  readonly permissions: {
    readonly ask: readonly AskData[];
    readonly allow: readonly (string | PresetRule)[];
  };
  /** What asks whatever the person's rules say. */
  readonly floors: readonly FloorData[];
  /** Relative paths start where the server says, and not in the directory that it was started in. */
  readonly startsElsewhere?: true;
  /** By tool: what a call of it makes of files. */
  readonly previews: Readonly<Record<string, PreviewSpec>>;
  /** By tool: how its answer lists files. */
  readonly listings: Readonly<Record<string, ListingSpec>>;
}

/** As an object in a list of a file of rules. */
export interface PresetRule {
  readonly rule: string;
  readonly level?: Level;
  readonly when?: readonly Readonly<Record<string, unknown>>[];
  readonly state?: unknown;
}

/** A rule that asks where all of this is so. */
export interface AskData extends PresetRule {
  /** This argument names another directory than the one that the server works in and those that its command names. */
  readonly unnamed?: string;
  /** In words for a person: why that asks. */
  readonly why?: string;
  /** In words for a person: what the call takes up that `state` does not hold. */
  readonly unbound?: string;
}

/** A rule that asks, and what else has to be so; all that is left out is so. */
export interface FloorData {
  readonly rule: string;
  readonly level: Level;
  /** In words for a person: what the call does. */
  readonly why: string;
  readonly when?: PresetRule["when"];
  /** A file that is not empty stands where this argument says. */
  readonly replaces?: string;
  /** A `.git` or `.ssh` lies below this argument. */
  readonly holds?: string;
  /** A directory stands where this argument says. */
  readonly carries?: string;
  /** These two arguments are not below the same top-level directory. */
  readonly crosses?: readonly [string, string];
}

/** More of them in one call are more than a person looks at. */
export const mostItems = 50;
