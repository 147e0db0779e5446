/** What more than a screen of changes becomes: read to its end before it counts, or refused. */
import { describe, expect, it } from "vitest";
import { pagesOf } from "../../../src/cli/accept/show.js";
import { widthsFor } from "../../../src/face/widths.js";
import { acceptingHome } from "../../support/accepting.js";

const rules = (count: number): readonly string[] =>
  Array.from({ length: count }, (_, index) => `Bash(tool${index})`);
const status = ["git", "status"];

describe("changes of more than a screen", () => {
  it("are shown a page at a time, what is tighter first, and accepted by the word after the last alone", async () => {
    const made = acceptingHome();
    const permissions = { deny: rules(15), allow: ["Bash(git status)", ...rules(25)] };
    made.write("policy.json", { permissions });
    const { exit, err, questions, out } = await made.acceptsOn({ rows: 24 }, ["", "", "accept"]);
    expect([exit, out]).toEqual([0, "accepted: policy.json (26 looser, 15 tighter)\n"]);
    expect(questions).toEqual([
      "Page 1 of 3. Enter for the next; anything else changes nothing: ",
      "Page 2 of 3. Enter for the next; anything else changes nothing: ",
      '26 looser.\nType "accept" and Enter to accept all of it; anything else changes\n  nothing: ',
    ]);
    const rows = err.trimEnd().split("\n");
    expect(rows).toHaveLength(43);
    expect(rows[0]).toBe("policy.json: 15 tighter");
    expect(rows[16]).toBe("policy.json: 26 looser");
    expect(rows.slice(1, 16).every((row) => row.includes("tighter deny"))).toBe(true);
    expect(rows.slice(17).every((row) => row.includes("LOOSER  allow"))).toBe(true);
    expect(made.judge(status).name).toBe("allow");
  });

  it.each(["accept", "y", "q", null])(
    "are not accepted by %j on a page that is not the last",
    async (line) => {
      const made = acceptingHome();
      made.write("policy.json", { permissions: { allow: ["Bash(git status)", ...rules(30)] } });
      const { exit, err, questions } = await made.acceptsOn({ rows: 24 }, [line]);
      expect([exit, questions.length]).toEqual([7, 1]);
      expect(err).not.toContain("Bash(tool29)");
      expect(made.judge(status).name).toBe("ask");
      expect((await made.acceptsOn({ rows: 24 }, ["", "accept"])).exit).toBe(0);
    },
  );

  it("of which more than 200 loosen are accepted in parts alone, and it is said how", async () => {
    const made = acceptingHome();
    made.write("policy.json", { permissions: { allow: ["Bash(git status)", ...rules(200)] } });
    const { exit, err, questions } = await made.accepts("accept");
    expect([exit, questions]).toEqual([78, []]);
    expect(err).toContain("201 in policy.json");
    expect(err).toContain("Leave at most 200 of them in the files");
    expect(err).not.toContain("Bash(tool1)");
    made.write("policy.json", { permissions: { allow: ["Bash(git status)", ...rules(199)] } });
    expect((await made.acceptsOn({ rows: 300 }, ["accept"])).exit).toBe(0);
    made.write("policy.json", { permissions: { allow: ["Bash(git status)", ...rules(200)] } });
    expect((await made.accepts("accept")).exit).toBe(0);
    made.write("policy.json", {
      permissions: { deny: rules(300), allow: ["Bash(git status)", ...rules(200)] },
    });
    expect((await made.acceptsOn({ rows: 400 }, ["y"])).out).toBe("accepted: policy.json (300 tighter)\n");
  });

  it("leave room for the question on a narrow screen, and for the word behind it", async () => {
    const made = acceptingHome();
    // A heading, and three rows for each: one more than fit beside the question.
    made.write("policy.json", { permissions: { allow: rules(4) } });
    const { exit, err, questions } = await made.acceptsOn({ columns: 32, rows: 16 }, ["", "accept"]);
    expect([exit, err.trimEnd().split("\n").length]).toEqual([0, 13]);
    expect(questions.at(-1)?.split("\n")).toEqual([
      "4 looser.",
      'Type "accept" and Enter to',
      "  accept all of it; anything",
      "  else changes nothing: ",
    ]);
  });

  it("count a long line by the rows that it takes", async () => {
    const lines = [`  + LOOSER  allow Bash(${"word ".repeat(60)}x)`, "  + LOOSER  allow Bash(y)"];
    const pages = pagesOf(lines, { columns: 80, rows: 5 }, await widthsFor(lines));
    expect(pages.map(({ length }) => length)).toEqual([5, 1]);
    expect(pages.flat().every((row) => row.length <= 80)).toBe(true);
    const joined = pages
      .flat()
      .map((row) => row.trim())
      .join(" ");
    expect(joined).toBe(lines.map((line) => line.trim()).join(" "));
    expect(pagesOf(["a"], { columns: 1, rows: -3 }, await widthsFor([]))).toEqual([["a"]]);
  });
});
