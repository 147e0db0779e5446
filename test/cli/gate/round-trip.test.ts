/** A gate is put into every kind of file and taken out again: what was there before stands there again, to the last byte. */
import { appendFileSync, existsSync, readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { parse as parseToml } from "smol-toml";
import { describe, expect, it } from "vitest";
import { clientFileCorpus } from "../../support/client-files.js";
import { desk, put, run, textAt } from "../../support/gate-installing.js";

const each = clientFileCorpus.flatMap((file) =>
  file.entries.map((entry) => ({ ...file, entry, title: `${file.title}: ${entry}` })),
);

describe("a gate that is put before an entry and taken away", () => {
  it.each(each)("leaves $title as it was, to the byte, with its mode", async ({ entry, ...file }) => {
    const at = desk();
    const path = put(at, file, 0o640);
    expect(await run(at, "install", entry)).toMatchObject({ exit: 0, asked: 1 });
    const installed = textAt(path);
    expect(installed).not.toBe(file.text);
    expect(installed).toContain('"gate"');
    expect(statSync(path).mode & 0o777).toBe(0o640);
    expect(readdirSync(join(at.home.path, "backups"))).toHaveLength(2);
    const undone = await run(at, "uninstall", entry);
    expect(undone).toMatchObject({ exit: 0, asked: 1 });
    expect(undone.err).toContain("to the last byte");
    expect(textAt(path)).toBe(file.text);
    expect(statSync(path).mode & 0o777).toBe(0o640);
    expect(readdirSync(join(at.home.path, "backups"))).toEqual([]);
  });

  it.each(each)("leaves $title and what somebody wrote behind it since", async ({ entry, ...file }) => {
    const at = desk();
    const path = put(at, file);
    await run(at, "install", entry);
    const further = file.client === "codex" ? "\n# further\n" : "\n\n";
    appendFileSync(path, further);
    const undone = await run(at, "uninstall", entry);
    expect(undone.err).toContain(
      "The file was changed since the gate was put there: only this entry is undone.",
    );
    expect(textAt(path)).toBe(`${file.text}${further}`);
    expect(existsSync(/before the gate:\n {2}(.+)\n/.exec(undone.out)?.[1] ?? "")).toBe(true);
  });

  it.each(clientFileCorpus)("leaves $title as it was, in whatever order its entries go", async (file) => {
    for (const order of [file.entries, file.entries.toReversed()]) {
      const at = desk();
      const path = put(at, file);
      for (const entry of file.entries) await run(at, "install", entry);
      for (const entry of order) await run(at, "uninstall", entry);
      expect(textAt(path)).toBe(file.text);
    }
  });

  it.each(each)("makes $title start the gate with the words that stood there", async ({ entry, ...file }) => {
    const at = desk();
    const path = put(at, file);
    const before = valueIn(file.text, file.client, entry);
    await run(at, "install", entry);
    const { command, args, url, type, ...others } = valueIn(textAt(path), file.client, entry);
    const { command: program, args: words = [], url: address, type: kind, ...othersBefore } = before;
    const name = entry.replaceAll(".", "-");
    const own = ["/opt/wisp/dist/wisp.cjs", "gate", "--name", name];
    expect(command).toBe("/opt/node");
    expect(args).toEqual(
      address === undefined ? [...own, "--", program, ...(words as string[])] : [...own, "--url", address],
    );
    expect([url, type]).toEqual([undefined, kind === "http" ? "stdio" : kind]);
    expect(others).toEqual({ ...othersBefore, env: { ...Object(before.env), WISP_HOME: at.home.path } });
    await run(at, "uninstall", entry);
    expect(valueIn(textAt(path), file.client, entry)).toEqual(before);
  });
});

/** What the entry says, as another reader than the one that is tested finds it. */
function valueIn(text: string, client: string, entry: string): Readonly<Record<string, unknown>> {
  if (client === "codex") {
    const { mcp_servers: servers } = parseToml(text.replace(/^\ufeff/, ""));
    return (servers as Record<string, Record<string, unknown>>)[entry] ?? {};
  }
  const bare = text
    .replace(/^\ufeff/, "")
    .replace(/"(?:[^"\\\n]|\\.)*"|\/\/[^\n]*|\/\*[\s\S]*?\*\//g, (one) => (one.startsWith('"') ? one : " "))
    .replace(/"(?:[^"\\\n]|\\.)*"|,(?=\s*[}\]])/g, (one) => (one.startsWith('"') ? one : ""));
  const { mcpServers, servers } = JSON.parse(bare) as Record<string, Record<string, Record<string, unknown>>>;
  return (mcpServers ?? servers)?.[entry] ?? {};
}
