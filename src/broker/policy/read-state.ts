/** What a rule says that an approval is about, as it stands in a file. Strict: what is not understood would be left unbound. */
import { nearest } from "../request/nearest.js";
import type { BoundSpec, StateSpec } from "../request/state-spec.js";
import { parseArgumentPath } from "./argument-path.js";
import { itemsOf, type JsonNode, membersOf, plainValue } from "./jsonc.js";

type Complain = (node: JsonNode, what: string) => void;

const keys = ["paths", "git", "tool", "args"];
const mostTargets = 64;
const longestTarget = 4_096;
const longestTool = 128;

/** Reads the value of `state`; null where it says nothing, which was said. */
export function readState(node: JsonNode, complain: Complain): StateSpec | null {
  if (node.value === "none") return "none";
  if (node.type !== "object") {
    complain(node, 'state is "none", or an object with paths, git or tool');
    return null;
  }
  const fields = new Map<string, JsonNode>();
  for (const { key, keyNode, value } of membersOf(node)) {
    fields.set(key, value);
    if (keys.includes(key)) continue;
    const meant = nearest(key, keys);
    complain(keyNode, `this is no key of state${meant === null ? "" : `; the nearest is ${meant}`}`);
  }
  if (fields.size === 0) complain(node, 'state names nothing; "none" says that nothing is bound');
  return {
    paths: targetsIn(fields.get("paths"), "paths", false, complain),
    git: targetsIn(fields.get("git"), "git", true, complain),
    probe: probeIn(fields, complain),
  };
}

function targetsIn(
  node: JsonNode | undefined,
  key: string,
  canBeOne: boolean,
  complain: Complain,
): readonly string[] {
  if (node === undefined) return [];
  const items = canBeOne && node.type !== "array" ? [node] : itemsOf(node);
  if (items.length === 0) complain(node, `${key} is a list of paths that is not empty`);
  if (items.length > mostTargets) complain(node, `${key} holds more than ${mostTargets} entries`);
  return items.map((item) => {
    const wrong = objectionToTarget(item.value);
    if (wrong !== null) complain(item, `${key}: ${wrong}`);
    return String(item.value);
  });
}

/** What is wrong with one text that names what is bound; null where nothing is. */
function objectionToTarget(value: unknown): string | null {
  if (typeof value !== "string" || value === "") return "each is a text that is not empty";
  if (value.length > longestTarget) return `longer than ${longestTarget} characters`;
  if (!value.startsWith("$")) return null;
  // `$path` names no argument, and hardly a file: it would bind what nobody meant.
  if (!value.startsWith("$.")) return "a path into the arguments begins with $.";
  const parsed = parseArgumentPath(value);
  return parsed.kind === "wrong" ? parsed.why : null;
}

function probeIn(fields: ReadonlyMap<string, JsonNode>, complain: Complain): BoundSpec["probe"] {
  const tool = fields.get("tool");
  const given = fields.get("args");
  if (tool === undefined) {
    if (given !== undefined) complain(given, "args are those of a tool, which is missing");
    return null;
  }
  const name: unknown = tool.value;
  if (typeof name !== "string" || name === "" || name.length > longestTool)
    complain(tool, `tool is the name of a tool of the same server, of at most ${longestTool} characters`);
  if (given === undefined) return { tool: String(name), arguments: {} };
  if (given.type !== "object") complain(given, "args is an object");
  objectToPathsIn(given, complain);
  const values = given.type === "object" ? plainValue(given) : {};
  return { tool: String(name), arguments: values as Readonly<Record<string, unknown>> };
}

/** At any depth: each text that begins with `$.` is replaced by what is at that path. */
function objectToPathsIn(node: JsonNode, complain: Complain): void {
  if (node.type === "object") for (const { value } of membersOf(node)) objectToPathsIn(value, complain);
  else if (node.type === "array") for (const item of itemsOf(node)) objectToPathsIn(item, complain);
  else if (typeof node.value === "string" && node.value.startsWith("$.")) {
    const parsed = parseArgumentPath(node.value);
    if (parsed.kind === "wrong") complain(node, `args: ${parsed.why}`);
  }
}
