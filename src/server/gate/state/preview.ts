/** What a call would make of files, for the person who is asked. It is shown and binds nothing: the state does. */
import {
  canonicalJson,
  deletePreview,
  movePreviews,
  type Preview,
  type PreviewSpec,
  writePreview,
} from "../../../broker/index.js";
import type { ToolSubject } from "../calls/tool-subject.js";
import type { JsonObject } from "../frames/json-object.js";
import { plainPath, textAt } from "./named.js";

/** A request holds 256 KiB: the arguments, which hold the new text once more, and all that is said around them. */
const roomBytes = 160 * 1024;
const longestSide = 32 * 1024;

/** Null where the arguments do not say which file it is, or nothing would become of one. */
export async function previewsOf(
  spec: PreviewSpec,
  given: JsonObject,
  directory: string | null,
): Promise<ToolSubject["preview"]> {
  const room = roomBytes - Buffer.byteLength(canonicalJson(given));
  const most = Math.max(0, Math.min(longestSide, Math.floor(room / 4)));
  const pathAt = (name: string): string | null => plainPath(textAt(name, given) ?? "", directory);
  const target = pathAt(spec.target);
  if (target === null) return null;
  if ("source" in spec) {
    const source = pathAt(spec.source);
    return source === null ? null : listOf(await movePreviews(source, target, most));
  }
  if (spec.content === null) return listOf([await deletePreview(target, most)]);
  const text = textAt(spec.content, given);
  return text === null ? null : listOf([await writePreview(target, text, most)]);
}

function listOf(previews: readonly (Preview | null)[]): ToolSubject["preview"] {
  const found = previews.filter((one) => one !== null);
  return found.length === 0 ? null : found;
}
