/** Looks at what calls of one gate are about: files, git work trees, and what the server itself says. */
import {
  canonicalJson,
  fingerprintGit,
  fingerprintPath,
  type PreviewSpec,
  sha256Hex,
  WispError,
} from "../../../broker/index.js";
import type { StateBinding } from "../calls/state-binding.js";
import type { BoundState } from "../calls/tool-subject.js";
import type { JsonObject } from "../frames/json-object.js";
import { filledIn, namedPaths } from "./named.js";
import { previewsOf } from "./preview.js";
import type { Probe } from "./probe.js";

/** What a gate looks with. */
export interface StateBindingParts {
  /** Where relative paths start, absolute; null where only the server knows, and then they are refused. */
  readonly directory: string | null;
  /** What a tool does to files, where that is known; null where it is not. */
  readonly previewOf: (tool: string) => PreviewSpec | null;
  readonly probe: Probe;
}

/** Nothing is looked at before a call is. */
export function createStateBinding({ directory, previewOf, probe }: StateBindingParts): StateBinding {
  return {
    async look(spec, call, signal) {
      if (spec === null || spec === "none") return spec;
      const bound: Bound[] = [];
      for (const path of namedPaths(spec.paths, call.arguments, directory)) {
        signal.throwIfAborted();
        bound.push(await fingerprintPath(path));
      }
      for (const path of namedPaths(spec.git, call.arguments, directory)) bound.push(...fingerprintGit(path));
      if (spec.probe !== null) {
        signal.throwIfAborted();
        const { tool, arguments: wanted } = spec.probe;
        const given = filledIn(wanted, call.arguments) as JsonObject;
        bound.push(probed(tool, given, await probe(tool, given, signal)));
      }
      return [...new Map(bound.map((one) => [one.target, one])).values()];
    },
    async preview(call) {
      const spec = previewOf(call.tool.name);
      return spec === null ? { files: [], notes: [] } : await previewsOf(spec, call.arguments, directory);
    },
  };
}

type Bound = Exclude<BoundState, "none" | null>[number];

function probed(tool: string, given: JsonObject, result: JsonObject): Bound {
  // What goes with an answer and is none of it (`_meta`) may be new each time.
  const { content = null, structuredContent = null } = result;
  try {
    const said = canonicalJson({ tool, given, content, structuredContent });
    return {
      target: `what ${tool} says of ${JSON.stringify(given)}`,
      fingerprint: sha256Hex(`wisp/probe/v1\n${said}`),
    };
  } catch (cause) {
    // A text in it is not Unicode.
    throw new WispError(
      "upstream_unavailable",
      `The answer of ${tool}, which says what a yes is about, cannot be read.`,
      {
        cause,
      },
    );
  }
}
