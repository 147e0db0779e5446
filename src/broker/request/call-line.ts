/** A call of a tool in one line: whose tool, which, and what on, so that several are told apart. Pure. */

/** The keys that name what a call is about, in the order in which they are looked for; else its first argument does. */
const naming = ["path", "source", "file_path", "repo_path", "uri", "url"] as const;

/** No list has room for more. */
const longestNamed = 200;

/** `filesystem · write_file /home/p/notes.txt`. Not yet safe to show. */
export function callLine({
  server,
  tool,
  arguments: given,
}: {
  readonly server: string;
  readonly tool: string;
  readonly arguments: Readonly<Record<string, unknown>>;
}): string {
  const key = naming.find((one) => typeof given[one] === "string") ?? Object.keys(given)[0];
  const value = key === undefined ? undefined : given[key];
  const text = typeof value === "string" ? value : (JSON.stringify(value) ?? "");
  const named =
    text.length > longestNamed ? `${[...text.slice(0, longestNamed)].slice(0, -1).join("")}…` : text;
  return `${server} · ${tool}${named === "" ? "" : ` ${named}`}`;
}
