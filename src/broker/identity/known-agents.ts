/**
 * Names of programs that are agents: each runs commands of a model's choosing, so below one of them no terminal proves a
 * person. A person's own shell never stands below such a name by accident; one that is missing here is found by its
 * server, where it has one. Data, beside the names of clients (config/known-clients.ts), which are not names of programs.
 */

/** As they are typed, or as the file behind that is called. */
const agents = new Set(
  [
    // The makers of models.
    "claude codex gemini qwen grok copilot q kiro-cli kimi vibe mistral-vibe",
    // Agents for the models of many.
    "opencode goose aider amp crush cline cn continue openhands plandex droid auggie kilocode kilo roo gptme",
    "open-interpreter swe-agent sweagent mini-swe-agent codebuff",
    // Editors made around an agent, with its terminals inside.
    "cursor-agent cursor windsurf antigravity kiro trae",
  ].flatMap((line) => line.split(" ")),
);

/** Packages whose program has a name that says nothing, such as `cli.js`. */
const packages = new Set(
  [
    "claude-code codex gemini-cli qwen-code opencode-ai aider-chat copilot cline amp crush goose-ai droid",
  ].flatMap((line) => line.split(" ")),
);

/** What runs a program that is only named by its next word. */
const interpreters = /^(?:node|nodejs|bun|deno|python[\d.]*|ruby|npx|uvx|pipx|env|sh|bash|zsh|fish)$/;

/**
 * The agent that a process is, by the name the system has for it and the words it was started with (none where the system
 * does not tell); null where it is none that is known. Arguments beyond the script that an interpreter runs are not looked at:
 * whoever opens a file called `claude` is no agent.
 */
export function agentIn(name: string, words: readonly string[]): string | null {
  const [program = "", ...rest] = words;
  const script = interpreters.test(baseOf(program)) ? rest.find((word) => !word.startsWith("-")) : undefined;
  const named = [name, program, script ?? ""].map(baseOf).find((one) => agents.has(one));
  if (named !== undefined) return named;
  const path = [program, script ?? ""].flatMap((word) => word.split("/").slice(0, -1));
  return path.find((part, index) => packages.has(part) && isInPackages(path, index)) ?? null;
}

/** A directory of that name counts only where packages are installed: a person's copy of its source is no agent. */
function isInPackages(path: readonly string[], index: number): boolean {
  return path.slice(0, index).some((part) => part === "node_modules" || part === "site-packages");
}

function baseOf(word: string): string {
  const base = word.slice(word.lastIndexOf("/") + 1).toLowerCase();
  return base.replace(/^-/, "").replace(/\.(?:[cm]?js|py|exe|appimage)$/, "");
}
