/** A verdict that is kept for the next call of a tool is the one that this call would get. */
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { type PolicyHome, policyHome, usual } from "../../support/policy-home.js";

/** A home whose remembered rules stay the same object, as they do while the file does. */
async function quietHome(rules: object): Promise<PolicyHome> {
  const none = { rules: [], over: [], unaccepted: [], fault: null, distrust: null };
  const home = policyHome({ remembered: { list: () => none } });
  home.write(rules);
  await home.accept();
  return home;
}

const read = "mcp__fs__read";

describe("a verdict by the name of a tool alone", () => {
  it("is the one before, whatever the arguments are", async () => {
    const home = await quietHome({ allow: [read] });
    // A file that was written a moment ago is read again.
    await expect.poll(() => home.tool(read) === home.tool(read, { path: "/x" })).toBe(true);
    expect(home.tool(read)).toMatchObject({ name: "allow", rule: { text: read } });
    expect(home.tool("mcp__fs__write")).toMatchObject({ name: "ask" });
  });

  it("ends with the files that it was by", async () => {
    const home = await quietHome({ allow: [read] });
    expect(home.tool(read).name).toBe("allow");
    home.write({ allow: [read], deny: [read] });
    expect(home.tool(read).name).toBe("deny");
    home.writeProject({ ask: ["mcp__fs__list"] });
    home.write({ allow: [read] });
    expect([home.tool(read).name, home.tool("mcp__fs__list").name]).toEqual(["allow", "ask"]);
    home.writeProject({ ask: [read] });
    expect(home.tool(read).name).toBe("ask");
  });

  it("is none where a rule looks at the arguments, or these reach into the home", async () => {
    const deny = [{ rule: read, when: [{ arg: "$.path", equals: "/b" }] }];
    const home = await quietHome({ allow: [read, "mcp__fs__list"], deny });
    const names = ["/a", "/b", "/a"].map((path) => home.tool(read, { path }).name);
    expect(names).toEqual(["allow", "deny", "allow"]);
    const inHome = join(home.path, "policy.json");
    const levels = ["/a", inHome, "/a"].map((path) => home.tool("mcp__fs__list", { path }).level);
    expect(levels).toEqual(["moderate", "dangerous", "moderate"]);
  });

  it("is of one server's tool, and by the settings of the call", async () => {
    const home = await quietHome({ allow: ["mcp__a__b__c"] });
    const judged = (server: string, tool: string, settings = usual) =>
      home.policy.judge({ kind: "tool", server, tool, arguments: {}, directory: home.project }, settings)
        .name;
    const both = [
      ["a", "b__c"],
      ["a__b", "c"],
    ] as const;
    const alone = both.map(([server, tool]) => policyAlone(home, server, tool));
    for (const _again of [1, 2]) expect(both.map(([server, tool]) => judged(server, tool))).toEqual(alone);
    const broken = { ...usual, onceBecause: "config.json cannot be used" };
    const [allowed] = both.filter((_, index) => alone[index] === "allow");
    expect(allowed).toBeDefined();
    const [server = "", tool = ""] = allowed ?? [];
    expect([judged(server, tool, broken), judged(server, tool)]).toEqual(["ask", "allow"]);
  });
});

/** Without anything known of another call. */
function policyAlone(home: PolicyHome, server: string, tool: string): string {
  const settings = { ...usual };
  return home.policy.judge({ kind: "tool", server, tool, arguments: {}, directory: home.project }, settings)
    .name;
}
