/** What rules that are remembered make of a call. */
import { describe, expect, it, test } from "vitest";
import type { RememberedRule } from "../../../src/broker/policy/remembered.js";
import { policyHome, usual } from "../../support/policy-home.js";
import { ruleInForce } from "../../support/remembered.js";

describe("a rule that is remembered", () => {
  const hourMs = 3_600_000;
  const push = ["git", "push", "origin", "main"] as const;

  it("answers the question, and is named", () => {
    const home = policyHome();
    home.remembered.push(ruleInForce());
    expect(home.argv(...push)).toMatchObject({
      name: "allow",
      rule: { list: "remembered", text: "Bash(git push origin main)", file: "remembered.json" },
      remembered: { id: "abcdefgh" },
    });
  });

  test.each<[string, Partial<RememberedRule>, readonly string[], string]>([
    ["another directory", { scope: "project", directory: "/elsewhere" }, push, "another directory"],
    ["another program", { program: "/bin/y" }, push, "another program file"],
    ["a changed program", { programIdentity: "y" }, push, "the program file was changed since"],
    ["an old one", { expiresAt: 1 }, push, "it has expired"],
    ["one of the future", { createdAt: Date.now() + hourMs }, push, "it is dated in the future"],
    ["another rule that asks", { askedBy: "Bash(git *)" }, push, "another rule asks now"],
    ["another word", {}, ["git", "push", "origin", "dev"], 'word 4 is "dev", not "main"'],
    ["a word more", {}, [...push, "--tags"], "word 5 is new"],
    [
      "a long word",
      {},
      ["git", "push", "origin", "x".repeat(50)],
      `word 4 is "${"x".repeat(40)}…", not "main"`,
    ],
    ["a word without its beginning", { rule: "Bash(git push origin v*)" }, push, "other words"],
    [
      "an option that runs a program",
      { rule: "Bash(git log *)" },
      ["git", "log", "--ext-diff"],
      '"--ext-diff" may run another program',
    ],
    ["a word less", {}, ["git", "push", "origin"], "word 4 is missing"],
    ["a shorter life", { createdAt: Date.now() - 31 * 24 * hourMs }, push, "it has expired"],
  ])("does not, for %s, and the difference is said", (_what, over, words, nearest) => {
    const home = policyHome();
    home.remembered.push(ruleInForce(over));
    const verdict = home.argv(...words);
    expect(verdict).toMatchObject({ name: "ask", nearest });
    home.remembered[0] = ruleInForce();
    expect(home.argv(...push)).toMatchObject({ name: "allow", nearest: null });
  });

  it("is not near a call that does something else", () => {
    const home = policyHome();
    home.remembered.push(ruleInForce());
    expect(home.argv("git", "status")).toMatchObject({ name: "ask", nearest: null });
    expect(home.argv("git", "push", "origin")).toMatchObject({ nearest: "word 4 is missing" });
    expect(home.argv(...push)).toMatchObject({ name: "allow" });
  });

  it.each([
    "Bash(gi*)",
    "Bash(git fetch *)",
    "Bash(cat *)",
    "WebSearch",
    "Bash(",
    "Bash(git",
    "mcp__git__push",
  ])("that is %s is about something else", (rule) => {
    const home = policyHome();
    home.remembered.push(ruleInForce({ rule }));
    if (rule !== "Bash(gi*)") expect(home.argv(...push)).toMatchObject({ name: "ask", nearest: null });
    expect(home.argv("make", "push")).toMatchObject({ name: "ask", nearest: null });
    home.remembered.push(ruleInForce());
    expect(home.argv(...push)).toMatchObject({ name: "allow" });
  });

  it("of several is the nearest in which least differs, the oldest of those", () => {
    const home = policyHome();
    const over = { expiresAt: 1 };
    home.remembered.push(
      ruleInForce({ ...over, rule: "Bash(git push origin dev)" }),
      ruleInForce({ rule: "Bash(git push origin next)" }),
      ruleInForce(over),
      ruleInForce({ ...over, program: "/bin/y" }),
    );
    expect(home.argv(...push).nearest).toBe('word 4 is "main", not "next"');
    home.remembered.splice(1, 1);
    expect(home.argv(...push).nearest).toBe("it has expired");
    home.remembered.splice(1, 1);
    expect(home.argv(...push).nearest).toBe('word 4 is "main", not "dev", and it has expired');
  });

  it("answers behind more of them than are kept in mind", () => {
    const home = policyHome();
    const others = Array.from({ length: 5_001 }, (_, index) => ruleInForce({ rule: `Bash(x ${index})` }));
    home.remembered.push(...others, ruleInForce());
    expect(home.argv(...push)).toMatchObject({ name: "allow" });
    expect(home.argv("x", "5001")).toMatchObject({ name: "ask" });
    expect(home.argv("x", "5000")).toMatchObject({ name: "allow" });
  });

  it("comes after deny, after levels, and after the widest yes of the rule that asks", async () => {
    const home = policyHome();
    const asked = ruleInForce({ askedBy: "Bash(git push *)" });
    home.remembered.push(asked, ruleInForce({ rule: "Bash(rm -rf x)" }));
    home.write({ ask: ["Bash(git push *)"] });
    expect(home.argv(...push)).toMatchObject({ name: "allow" });
    home.write({ ask: [{ rule: "Bash(git push *)", maxScope: "session" }] });
    expect(home.argv(...push)).toMatchObject({ name: "ask" });
    home.write({ ask: [{ rule: "Bash(git push *)", maxScope: "project" }] });
    expect(home.argv(...push)).toMatchObject({
      name: "ask",
      nearest: "a yes counts for project at most now",
    });
    home.write({ deny: ["Bash(git push *)"], ask: ["Bash(git push *)"] });
    expect(home.argv(...push)).toMatchObject({ name: "deny" });
    expect(home.argv("rm", "-rf", "x")).toMatchObject({ name: "ask", level: "dangerous" });
  });

  it("answers only where it was given under every rule that asks, as the file stands and as it was accepted", async () => {
    const home = policyHome();
    home.remembered.push(ruleInForce({ askedBy: "Bash(git *)" }));
    home.write({ ask: ["Bash(git *)"] });
    await home.accept();
    expect(home.argv(...push)).toMatchObject({ name: "allow" });
    home.write({ ask: ["Bash(git push *)"] });
    await home.accept();
    const another = { name: "ask", nearest: "another rule asks now" };
    expect(home.argv(...push)).toMatchObject(another);
    // Only tightens, and is in force at once: the rule that was removed must not wake up.
    home.write({ ask: ["Bash(git *)", "Bash(git push *)"] });
    expect(home.argv(...push)).toMatchObject({ ...another, maxScope: "session", offers: [] });
    home.write({ ask: ["Bash(git push *)"] });
    home.writeProject({ ask: ["Bash(git *)"] });
    expect(home.argv(...push)).toMatchObject({ ...another, maxScope: "session", offers: [] });
    home.writeProject({ ask: ["Bash(make *)"] });
    expect(home.argv(...push)).toMatchObject({ ...another, maxScope: "always" });
    home.remembered.push(ruleInForce({ id: "bcdefghj", askedBy: "Bash(git push *)" }));
    expect(home.argv(...push)).toMatchObject({ name: "allow", remembered: { id: "bcdefghj" } });
  });

  it("does not wake up where the rule that asked is added again, in a file that was not accepted or a project's", async () => {
    const home = policyHome();
    home.write({ deny: ["Bash(x)"] });
    await home.accept();
    home.remembered.push(ruleInForce({ askedBy: "Bash(git *)" }));
    expect(home.argv(...push)).toMatchObject({ name: "ask" });
    home.write({ deny: ["Bash(x)"], ask: ["Bash(git *)"] });
    expect(home.argv(...push)).toMatchObject({ name: "ask", maxScope: "session" });
    home.write({ deny: ["Bash(x)"] });
    const file = home.writeProject({ ask: ["Bash(git *)"] });
    const verdict = home.argv(...push);
    expect(verdict).toMatchObject({ name: "ask", askedBy: [`Bash(git *) (${file})`] });
    home.remembered.push(ruleInForce({ id: "bcdefghj", askedBy: verdict.askedBy[0] ?? null }));
    expect(home.argv(...push)).toMatchObject({ name: "allow" });
  });

  it("is neither offered nor an answer for a program that may be changed by whoever works there", () => {
    const home = policyHome();
    home.remembered.push(ruleInForce());
    const judged = {
      kind: "command",
      argv: push,
      line: push.join(" "),
      directory: home.project,
      program: "/bin/x",
      programIdentity: "x",
    } as const;
    const judge = (isProgramOpen: boolean, program = "/bin/x") =>
      home.policy.judge({ ...judged, program, isProgramOpen }, usual);
    const asked = { name: "ask", maxScope: "session", offers: [] };
    const now = "a yes counts for session at most now";
    expect(judge(true)).toMatchObject({ ...asked, nearest: now });
    // One of the same name that was planted: whoever gave the rule reads that it is another.
    expect(judge(true, "/tmp/x")).toMatchObject({ ...asked, nearest: `another program file, and ${now}` });
    home.write({ ask: [{ rule: "Bash(git push *)", maxScope: "once" }], deny: ["Bash(x)"] });
    home.writeProject({ ask: ["Bash(git *)"] });
    expect(judge(true)).toMatchObject({ name: "ask", maxScope: "once" });
    home.write({ deny: ["Bash(x)"] });
    home.writeProject({ deny: ["Bash(x)"] });
    expect(judge(false)).toMatchObject({ name: "allow" });
  });

  it("is about one command, and never a complex line", () => {
    const home = policyHome();
    home.remembered.push(ruleInForce({ rule: "Bash(ls *)", program: null, programIdentity: null }));
    expect(home.line("ls a")).toMatchObject({ name: "allow" });
    expect(home.line("ls a; ls b")).toMatchObject({ name: "ask" });
    expect(home.line("ls a >b")).toMatchObject({ name: "ask" });
  });
});
