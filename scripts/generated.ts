/** Every file of the project that is made from its code: a test holds what is committed to what is made. */
import { auditPage } from "./audit-page.js";
import { errorsPage } from "./errors-page.js";
import { channelVectors } from "./vectors/index.js";

/** The directory that holds generated files only. */
export const vectorDirectory = "test/vectors/channel";

/** Bytes of each file by its path from the root of the project. */
export function generatedFiles(): ReadonlyMap<string, Uint8Array> {
  const text = new TextEncoder();
  const files = new Map<string, Uint8Array>([
    ["docs/audit.md", text.encode(auditPage())],
    ["docs/errors.md", text.encode(errorsPage())],
  ]);
  for (const [path, bytes] of channelVectors()) files.set(`${vectorDirectory}/${path}`, bytes);
  return files;
}
