/** Programs that stand in for those of a desktop: small scripts that keep the words they were started with. */
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { writeProgram } from "./commands.js";

/** A directory of such programs, and what they were told. */
export interface BannerPrograms {
  /** To be put into PATH. */
  readonly path: string;
  /** Adds a program that does as its text says. */
  add(name: string, text: string): void;
  /** Adds one that keeps its words, and fails while broken. */
  addRecorder(name: string): void;
  /** Adds one that keeps what it reads, and fails while broken. */
  addReader(name: string): void;
  /** What the recorders were started with, in any order. */
  words(): readonly (readonly string[])[];
  /** What the readers read, in any order. */
  texts(): readonly string[];
  breakIt(): void;
  repair(): void;
  /** The entry file of a package in the form of node-notifier whose program is a recorder. */
  addNodeNotifier(body?: string): string;
}

/** `sh` finds its own tools in the usual places. */
const usualPath = "PATH=$PATH:/usr/local/bin:/usr/bin:/bin";

export function bannerPrograms(directory: string): BannerPrograms {
  const [path, kept] = [join(directory, "bin"), join(directory, "kept")];
  for (const one of [path, kept]) mkdirSync(one);
  const broken = join(directory, "broken");
  const guard = `if [ -e '${broken}' ]; then echo 'no bus' >&2; exit 1; fi`;
  const keeping = (command: string) =>
    `${guard}\n${command} > '${kept}'/$$.part && mv '${kept}'/$$.part '${kept}'/$$`;

  const add = (name: string, text: string): void => {
    writeProgram(path, name, `#!/bin/sh\n${usualPath}\n${text}\n`);
  };
  const texts = (): readonly string[] =>
    readdirSync(kept).map((name) => readFileSync(join(kept, name), "utf8"));
  const addRecorder = (name: string): void => add(name, keeping(`printf '%s\\0' "$@"`));

  return {
    path,
    add,
    addRecorder,
    addReader: (name) => add(name, keeping("cat")),
    words: () => texts().map((text) => text.split("\0").slice(0, -1)),
    texts,
    breakIt: () => writeFileSync(broken, ""),
    repair: () => {
      if (existsSync(broken)) rmSync(broken);
    },
    addNodeNotifier(body = defaultNotify) {
      addRecorder("toast");
      const file = join(directory, "index.js");
      const notify = body.replaceAll("PROGRAM", JSON.stringify(join(path, "toast")));
      writeFileSync(
        file,
        `const children = require("node:child_process");
         class Notifier { notify({ title, message }, done) { ${notify} } }
         module.exports = { WindowsToaster: Notifier, NotificationCenter: Notifier };`,
      );
      return file;
    },
  };
}

const defaultNotify = "children.execFile(PROGRAM, [title, message], (error) => done(error));";
