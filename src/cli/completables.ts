/** The commands of the tree, as completion needs them. */
import type { Command } from "commander";
import type { Completable } from "./completion/suggest.js";

type Flags = Pick<Completable, "switches" | "options" | "takesId">;

/** Of commands that read their own words, so that the tree does not know them. */
const flagsOf = new WeakMap<Command, Flags>();

/** Remembers what `command` takes, which reads it itself. */
export function readsItself(command: Command, flags: Flags): void {
  flagsOf.set(command, flags);
}

/** Every command below `parent` that help lists, with its flags; `before` stands before each. */
export function completablesOf(parent: Command, before = ""): readonly Completable[] {
  return parent
    .createHelp()
    .visibleCommands(parent)
    .flatMap((command) => {
      const path = `${before}${command.name()}`;
      const { switches, options, takesId } = flagsOf.get(command) ?? ofTree(command);
      const one = { path, summary: command.description(), switches, options, takesId };
      return [one, ...completablesOf(command, `${path} `)];
    });
}

function ofTree({ options }: Command): Flags {
  const names = options.map(({ long }) => (long ?? "").replace(/^--/, ""));
  return { switches: names, options: [], takesId: false };
}
