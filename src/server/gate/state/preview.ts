/** What a call would make of files, for the person who is asked. It is shown and binds nothing: the state does. */
import {
  canonicalJson,
  deletePreview,
  editPreview,
  movePreviews,
  type Preview,
  type Previewed,
  type PreviewSpec,
  unseenNotes,
  writePreview,
} from "../../../broker/index.js";
import { isObject, type JsonObject } from "../frames/json-object.js";
import { plainPath, textAt, valuesIn } from "./named.js";

/** A request holds 256 KiB: the arguments, which hold the new text once more, and all that is said around them. */
const roomBytes = 160 * 1024;
const longestSide = 32 * 1024;

/** Empty where the arguments do not say which file it is, or nothing would become of one. */
export async function previewsOf(
  spec: PreviewSpec,
  given: JsonObject,
  directory: string | null,
): Promise<Previewed> {
  const { files, notes } = await previewedBy(spec, given, directory);
  return { files, notes: [...notes, ...unseenNotes(files)] };
}

async function previewedBy(
  spec: PreviewSpec,
  given: JsonObject,
  directory: string | null,
): Promise<Previewed> {
  const room = roomBytes - Buffer.byteLength(canonicalJson(given));
  const most = Math.max(0, Math.min(longestSide, Math.floor(room / 4)));
  const pathAt = (name: string): string | null => plainPath(textAt(name, given) ?? "", directory);
  const target = pathAt(spec.target);
  if (target === null) return nothing;
  if ("source" in spec) {
    const source = pathAt(spec.source);
    return source === null ? nothing : await movePreviews(source, target, most);
  }
  if ("edits" in spec) {
    const edits = editsAt(spec.edits, given);
    return edits === null ? nothing : await editPreview(target, edits, most);
  }
  if (spec.content === null) return listOf([await deletePreview(target, most)]);
  const text = textAt(spec.content, given);
  return text === null ? nothing : listOf([await writePreview(target, text, most)]);
}

const nothing: Previewed = { files: [], notes: [] };

function listOf(previews: readonly (Preview | null)[]): Previewed {
  return { files: previews.filter((one) => one !== null), notes: [] };
}

/** Null where they are not what the server takes: it says so itself, and changes nothing. */
function editsAt(name: string, given: JsonObject): readonly { oldText: string; newText: string }[] | null {
  const edits = (valuesIn(name, given) ?? []).map((edit) =>
    isObject(edit) && typeof edit.oldText === "string" && typeof edit.newText === "string"
      ? { oldText: edit.oldText, newText: edit.newText }
      : null,
  );
  return edits.length === 0 || edits.includes(null) ? null : edits.filter((edit) => edit !== null);
}
