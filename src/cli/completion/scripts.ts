/**
 * What a person's shell loads. Invariant: nothing that stands on a half-typed line is ever run, or expanded, when TAB is
 * pressed: somebody may have pasted it. The scripts hand it to `wisp complete` as data, and call nothing else.
 */
import { RootCommand } from "@bomb.sh/tab";
import { printedBy } from "./printed.js";

/** The shells there are scripts for. */
export const shells = ["bash", "zsh", "fish", "powershell"] as const;

/** One of them. */
export type Shell = (typeof shells)[number];

/** The script for `shell`. Throws a TypeError where the library writes something else than what is mended here. */
export function scriptFor(shell: Shell): string {
  switch (shell) {
    case "bash":
      return bash;
    case "zsh":
      // What `eval` gets of the word at the cursor is quoted, as everything else that it gets is.
      return mended(shell, `flagPrefix="-P \${BASH_REMATCH}"`, `flagPrefix="-P \${(q)BASH_REMATCH}"`);
    case "fish":
      return theirs(shell);
    case "powershell":
      // A typographic quotation mark ends a text there as well.
      return mended(
        shell,
        `($_ -replace "'", "''")`,
        "[System.Management.Automation.Language.CodeGeneration]::EscapeSingleQuotedStringContent($_)",
      );
    default:
      return shell satisfies never;
  }
}

function theirs(shell: Exclude<Shell, "bash">): string {
  return printedBy(() => new RootCommand().setup("wisp", "wisp", shell));
}

function mended(shell: Exclude<Shell, "bash">, from: string, to: string): string {
  const script = theirs(shell);
  if (!script.includes(from)) throw new TypeError(`The script for ${shell} has changed.`);
  return script.replace(from, () => to);
}

/**
 * Our own: that of the library evaluates the line as it stands, `$(…)` and `>` included, and needs a package that not
 * every system has. bash takes `--scope=x` apart at the sign; `wisp complete` puts it together.
 */
const bash = `# bash completion for wisp
_wisp() {
  local cur=\${COMP_WORDS[COMP_CWORD]} value
  COMPREPLY=()
  [[ $cur == = ]] && cur=
  while IFS=$'\\t' read -r value _; do
    [[ $value != :* && $value == "$cur"* ]] && COMPREPLY+=("$value")
  done < <(wisp complete -- "\${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null)
}
complete -F _wisp wisp
`;
