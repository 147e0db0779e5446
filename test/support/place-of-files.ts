/** A person's directory with one root of a server in it, a home of wisp and keys. */
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import type { FileSurroundings } from "../../src/broker/policy/presets/files-meant.js";
import { tempDirectory } from "./temp-home.js";

/** Made anew each time. */
export function placeOfFiles(): FileSurroundings & { readonly root: string } {
  const homeDirectory = tempDirectory();
  const root = join(homeDirectory, "root");
  for (const name of ["root/a/b", "root/c", ".wisp", ".ssh"]) {
    mkdirSync(join(homeDirectory, name), { recursive: true });
  }
  return {
    home: join(homeDirectory, ".wisp"),
    homeDirectory,
    directory: root,
    roots: [root],
    areFilesHere: true,
    root,
  };
}
