import { spawnSync } from "node:child_process";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { isComplex } from "../../../src/broker/policy/complex.js";

describe("a simple line", () => {
  test.each([
    "ls",
    "  ls -la  ",
    "git push origin main",
    "git commit -m 'fix: it'\"'\"'s $HOME'",
    'grep "a\\.b" src/index.ts',
    "echo ''",
    "npm test && npm run build || echo failed; ls | wc -l",
    "ls\nwc\n\nls &&\n\nwc\n",
    "make 2>&1 | tail -5",
    "make >/dev/null 2> /dev/null",
    "ls 1>>/dev/null|wc",
    "ls src/*.ts ./* a?c a[bc]",
    "ls 'a'*",
    "ls ~ ~/src",
    "echo a~b a#b 'a`b' a=b --x=y:z",
    "echo '!' '*' \"*\" '{a,b}'",
    "printf %s}",
  ])("is one that was understood whole: %j", (line) => {
    expect(isComplex(line)).toBe(false);
  });
});

describe("a complex line", () => {
  test.each([
    ["an expansion", "echo $HOME"],
    ["an expansion in double quotes", 'echo "$HOME"'],
    ["a substitution", "echo $(id)"],
    ["backticks", "echo `id`"],
    ["backticks in double quotes", 'echo "`id`"'],
    ["history in double quotes", 'echo "!!"'],
    ["a text of escapes", "echo $'\\x41'"],
    ["a backslash", "echo a\\ b"],
    ["an escaped quote", 'echo "a\\"b"'],
    ["an escaped backslash", 'echo "a\\\\"'],
    ["a line continued", "echo a\\\nb"],
    ["a quote without end", "echo 'a"],
    ["a double quote without end", 'echo "a'],
    ["a redirection to a file", "echo a > b"],
    ["a redirection to a file below /dev/null", "echo a >/dev/null/x"],
    ["a redirection to a name that begins so", "echo a >/dev/nullx"],
    ["a redirection from a file", "wc < a"],
    ["a redirection of both", "ls &>/dev/null"],
    ["a redirection of another descriptor", "ls 3>/dev/null"],
    ["a redirection to another descriptor", "ls 2>&3"],
    ["a redirection right behind a word", "ls>/dev/null"],
    ["a redirection alone", ">/dev/null"],
    ["a here-document", "cat <<E\na\nE"],
    ["a here-string", "cat <<<a"],
    ["a substitution of processes", "diff <(ls) b"],
    ["the background", "ls &"],
    ["the background in the middle", "ls & wc"],
    ["a pipe of both", "ls |& wc"],
    ["a subshell", "(ls)"],
    ["a group", "{ ls; }"],
    ["braces", "echo {a,b}"],
    ["a function", "f() { ls; }"],
    ["arithmetic", "((1))"],
    ["a negation", "! ls"],
    ["a control word", "if ls; then wc; fi"],
    ["a control word in quotes", "'if' ls"],
    ["a loop", "while ls; do wc; done"],
    ["a test of bash", "[[ -f a ]]"],
    ["a test as command", "[ -f a ]"],
    ["a timed command", "time ls"],
    ["an environment", "A=b ls"],
    ["an environment that is added to", "A+=b ls"],
    ["an environment behind a joiner", "ls && A=b wc"],
    ["an element", "A[0]=b"],
    ["a glob as command", "l* -a"],
    ["a glob as command behind a joiner", "ls; /bin/l?"],
    ["a glob that could become an option", "rm *"],
    ["a glob that is an option", "rm -*"],
    ["a glob behind a quoted dash", "rm '-'*"],
    ["a glob behind nothing", "rm ''*"],
    ["a set that could become an option", "rm [-]x"],
    ["another person's home", "ls ~root"],
    ["another person's home in a value", "ls --x=~root a:~root"],
    ["the directory before", "ls ~-"],
    ["a comment", "ls # all"],
    ["a comment alone", "# ls"],
    ["a tab", "ls\ta"],
    ["a carriage return", "ls\r"],
    ["an escape character", "echo \u001b[2J"],
    ["a character beyond ASCII", "echo é"],
    ["a blank beyond ASCII", "ls\u00a0a"],
    ["a joiner without a command before it", "; ls"],
    ["a joiner without a command after it", "ls &&"],
    ["a pipe into nothing", "ls |\n"],
    ["two joiners", "ls ;; wc"],
    ["a joiner behind a joiner", "ls && ; wc"],
    ["nothing", ""],
    ["blanks", " \n "],
  ])("holds %s", (_what, line) => {
    expect(isComplex(line)).toBe(true);
    expect(isComplex("ls -la && wc 'a b'")).toBe(false);
  });
});

describe("a limit", () => {
  test.each([
    ["256 words", `ls${" a".repeat(255)}`, " a"],
    ["64 commands", `ls${";ls".repeat(63)}`, ";ls"],
    ["16 KiB", `ls ${"a".repeat(16 * 1024 - 3)}`, "a"],
  ])("is %s: one more is complex", (_what, line, more) => {
    expect([isComplex(line), isComplex(line + more)]).toEqual([false, true]);
  });
});

const simplePieces = [
  "ls",
  "a",
  "-x",
  " ",
  "\n",
  ";",
  "&&",
  "||",
  "|",
  "'a b'",
  '"c d"',
  "src/*.ts",
  "2>&1",
  " >/dev/null",
  "~",
  "/",
  "=",
  "#",
  "}",
  "]",
  "?",
];
const otherPieces = [
  "$",
  "`",
  "!",
  "\\",
  "'",
  '"',
  "<",
  ">",
  "&",
  "(",
  ")",
  "{",
  "[",
  "if",
  "A=b ",
  "\t",
  "é",
];

/** What the pieces of shell grammar make in any order. */
const anyLine = fc
  .array(fc.constantFrom(...simplePieces, ...simplePieces, ...otherPieces), { maxLength: 12 })
  .map((pieces) => pieces.join(""));

test("bash reads every simple line as the commands of one function", () => {
  const simple = fc.sample(anyLine, { numRuns: 4_000, seed: 7 }).filter((line) => !isComplex(line));
  expect(simple.length).toBeGreaterThan(200);
  // One bash for all: a function's body is read and never run, and printed as bash understood it.
  const script = simple.map((line) => `f() {\n${line}\n}\ndeclare -f f\n`).join("");
  const { status, stdout, stderr } = spawnSync("bash", ["--noprofile", "--norc"], {
    input: script,
    encoding: "utf8",
  });
  expect([status, stderr]).toEqual([0, ""]);
  expect(stdout.split(/^f \(\)/m)).toHaveLength(simple.length + 1);
});

test("nothing that a shell expands makes a simple line anywhere outside single quotes", () => {
  const line = anyLine.filter((one) => !isComplex(one) && !one.includes("'"));
  fc.assert(
    fc.property(line, fc.constantFrom("$", "`", "!", "\\$"), fc.nat(), (simple, special, place) => {
      const at = place % (simple.length + 1);
      return isComplex(simple.slice(0, at) + special + simple.slice(at));
    }),
  );
});
