/** What a `*` of a rule that allows does not stand for: options that run programs. */
import fc from "fast-check";
import { describe, expect, it, test } from "vitest";
import { areNamedIn, runningOptions } from "../../../src/broker/policy/running-options.js";
import { acceptedHome } from "../../support/policy-home.js";
import { ruleInForce } from "../../support/remembered.js";

describe("a rule that allows everything behind a program", () => {
  test.each([
    "git push --receive-pack=x",
    "git push --receive-pack x y",
    "git push --rec=x",
    "git -c core.pager=x log",
    "git --exec-path=x log",
    "git --git-dir=x log",
    "git --config-env=core.pager=X log",
    "git -C /elsewhere log",
    "git -C .. log",
    "git fetch --upload-pack x y",
    "git pull --upload-p=x y",
    "git clone -u x y",
    "git clone --config core.pager=x y",
    "git clone ext::x",
    "git ls-remote --exec=x",
    "git rebase -x make main",
    "git rebase --exec make main",
    "git grep -Oless x",
    "git config alias.x '!y'",
    "git bisect run x",
    "git submodule foreach x",
    "git difftool --extcmd=x",
    "/usr/bin/git -c core.pager=x log",
    "git-push --receive-pack=x",
    "rg --pre x y",
    "sed -e 1e y",
    "sed -ne 1e y",
    "sed -ne1e y",
    "sed --expression 1e y",
    "sed --expression=1e y",
    "sed -n 1e y",
    "rg --pre=x y",
    "rg --hostname-bin=x y",
    "tar --checkpoint-action=exec=x -cf a b",
    "tar --checkpoint-ac=exec=x -cf a b",
    "tar --to-command=x -xf a",
    "tar --use-compress-program x -cf a b",
    "tar -cIx a b",
    "tar cIf x a b",
    "find a -exec x ';'",
    "find a -name b -okdir x",
    "find a -fprintf x y",
    "fd a -x b",
    "sed 1e a",
    "sed s/a/b/e a",
    "sed -n 's/a/b/w c' d",
    "sed -e p -e 1ex a",
    "sed -ne 1ex a",
    "sed -ie 1ex a",
    "sed --expression=1ex a",
    "sed -f a b",
    "sed --fil=a b",
    "awk 'BEGIN{system(1)}'",
    "awk -f a b",
    "ssh -o ProxyCommand=x h",
    "ssh -oProxyCommand=x h",
    "scp -S x a h:b",
    "rsync -e x a b",
    "rsync -avze x a b",
    "rsync --rsh=x a b",
    "sort --compress-program=x a",
    "sort --compress-prog x a",
    "make CC=x",
    "make --eval=x",
    "go test -exec x",
    "go build --toolexec=x",
    "node -e x",
    "node --require x y",
    "python3.12 -c x",
    "bash -c x",
    "man --pager=x y",
    "psql -c x",
    "docker run --entrypoint x y",
    "docker -H tcp://x ps",
    "kubectl --kubeconfig=x get pods",
    "npm --prefix x test",
    "npm exec x",
    "unheard-of --exec x",
    "unheard-of --use-compress-program=x",
    "socat - exec:x",
    "timeout 5 git -c core.pager=x log",
    "timeout 5 sort --compress-program=x",
    "env A=b make",
    "env -S make",
  ])("does not allow %j, and one that names it does", async (line) => {
    const [program = ""] = line.split(" ");
    const wide = await acceptedHome({ allow: ["Bash", `Bash(${program} *)`] });
    expect(wide.line(line).name, line).toBe("ask");
    const exact = await acceptedHome({ allow: [`Bash(${line})`] });
    expect(exact.line(line), line).toMatchObject({ name: "allow" });
    expect(wide.line("ls")).toMatchObject({ name: "allow" });
  });

  test.each([
    "git status",
    "git --no-pager log -p --pretty=oneline",
    "git -C sub status",
    "git --no-optional-locks -C ./sub -C .. status",
    "git commit -c HEAD",
    "git switch -c x",
    "git push -u origin x",
    "git clean -x",
    "git log --output-indicator-new=x",
    "rg --pretty --pre-glob x y",
    "tar -czf a b",
    "tar xzf a",
    "tar --exclude=x -cf a b",
    "find a -name b -print",
    "sed -n 1,10p a",
    "sed -n -e 1,10p -e '$p' src/e.ts",
    "sed 's/a/b/g; s|e|w|' we",
    "sed -i.bak '/x/d' a",
    "awk '{print $1}' a",
    "sort -u a",
    "ssh h ls",
    "rsync -av a b",
    "make build",
    "go test ./...",
    "node x.js",
    "python3 x.py",
    "npm --version",
    "npm run x -- --prefix=y",
    "docker ps",
    "kubectl get pods",
    "gh api --method GET x",
  ])("allows %j", async (line) => {
    const home = await acceptedHome({ allow: ["Bash"] });
    expect(home.line(line)).toMatchObject({ name: "allow", rule: { text: "Bash" } });
  });

  test.each<[string, string, string]>([
    [
      "Bash(git push --receive-pack=* *)",
      "git push --receive-pack=x y",
      "git push --receive-pack=x --exec=y",
    ],
    [
      "Bash(git -c core.pager=cat *)",
      "git -c core.pager=cat log",
      "git -c core.pager=cat -c core.editor=x log",
    ],
    ["Bash(find * -exec grep *)", "find a -exec grep b", "find a -exec rm b -exec grep c"],
    ["Bash(rg --pre cat *)", "rg --pre cat x", "rg --pre cat --hostname-bin x"],
    ["Bash(env NODE_ENV=* npm test)", "env NODE_ENV=x npm test", "env NODE_ENV=x LD_PRELOAD=y npm test"],
    ["Bash(sed 1e *)", "sed 1e a", "sed 2e a"],
  ])("%s allows %j, and not %j", async (rule, line, other) => {
    const home = await acceptedHome({ allow: [rule] });
    expect(home.line(line)).toMatchObject({ name: "allow" });
    expect(home.line(other).name).toBe("ask");
  });

  it("says what asks, and which rule does not name it", async () => {
    const home = await acceptedHome({ allow: ["Bash(git *)"] });
    expect(home.line("git -c core.pager=x log").rule).toMatchObject({
      list: "floor",
      text: "-c may run another program, and Bash(git *) does not name it",
    });
    expect(home.line("git log")).toMatchObject({ name: "allow" });
  });

  it("that does not begin with env allows no env", async () => {
    const home = await acceptedHome({ allow: ["Bash", "Bash(env make *)"] });
    expect(home.line("env ls")).toMatchObject({ name: "ask" });
    expect(home.line("/usr/bin/env ls")).toMatchObject({ name: "ask" });
    expect(home.line("env make x")).toMatchObject({ name: "allow" });
  });

  it("does not allow words of the environment before a program", async () => {
    const home = await acceptedHome({ allow: ["Bash", "Bash(B=* x)"] });
    expect(home.argv("LD_PRELOAD=x", "ls")).toMatchObject({ name: "ask" });
    expect(home.argv("B=c", "x")).toMatchObject({ name: "allow", rule: { text: "Bash(B=* x)" } });
    expect(home.argv("ls")).toMatchObject({ name: "allow" });
  });

  it("as an exception excepts none of them either", async () => {
    const home = await acceptedHome({
      deny: [{ rule: "Bash(git *)", unless: ["Bash(git fetch *)"] }],
      allow: ["Bash"],
    });
    expect(home.line("git fetch --upload-pack=x y").name).toBe("deny");
    expect(home.line("git fetch x")).toMatchObject({ name: "allow" });
  });
});

it("a wider form that is remembered covers none, and none is offered for a command with one", async () => {
  const home = await acceptedHome({ deny: ["Bash(none)"] });
  home.remembered.push(ruleInForce({ rule: "Bash(git push *)" }));
  const verdict = home.argv("git", "push", "--receive-pack=x", "y");
  expect(verdict).toMatchObject({ name: "ask", nearest: '"--receive-pack" may run another program' });
  expect(verdict.offers.map((offer) => offer.rule)).toEqual(["Bash(git push --receive-pack=x y)"]);
  expect(home.argv("git", "push", "y")).toMatchObject({ name: "allow" });
});

it("where options stand makes no difference, and what is named twice counts twice", () => {
  const option = fc.constantFrom<string>("--receive-pack=x", "--exec=x", "--rec=y");
  const plain = fc.constantFrom<string>("origin", "main", "-v", "--tags");
  fc.assert(
    fc.property(
      fc.array(option, { maxLength: 3 }),
      fc.array(plain, { maxLength: 4 }),
      fc.nat(),
      (some, others, seed) => {
        const words = [...others];
        for (const [index, one] of some.entries())
          words.splice((seed + index * 7) % (words.length + 1), 0, one);
        expect(runningOptions(["git", "push", ...words])).toHaveLength(some.length);
      },
    ),
  );
});

/** Only `-C` within the directory of the call is passed over, and right behind the program the directory with it, whatever that is called. */
function withoutDirectories(words: readonly string[]): readonly string[] {
  const isDirectory = (index: number): boolean =>
    index > 1 && words[index - 1] === "-C" && (words[index - 2] === "git" || isDirectory(index - 2));
  return words.filter((one, index) => {
    // The first word is the program, however it is called.
    const isOption = one === "-C" && index > 0 && index < words.length - 1 && !isDirectory(index);
    return !isOption && !isDirectory(index);
  });
}

it("a directory that is named like an option runs nothing", async () => {
  const home = await acceptedHome({ allow: ["Bash(git *)"] });
  expect(withoutDirectories(["git", "-C", "-exec", "-C", "-C", "push", "-C", "x"])).toEqual([
    "git",
    "push",
    "x",
  ]);
  expect(home.argv("git", "-C", "-exec", "status").name).toBe("allow");
  expect(home.argv("git", "-c", "alias.x=!y", "-C", "-exec", "x").name).toBe("ask");
});

it("a rule with a * never allows what holds more of them than it names", async () => {
  const word = fc.constantFrom(
    "git",
    "push",
    "-c",
    "a=b",
    "--exec",
    "--exec=x",
    "-C",
    "sub",
    "find",
    "-exec",
    "env",
    "x",
  );
  const star = fc.constantFrom("*", "git", "push", "-c", "--exec", "--exec=*", "-C", "find", "-exec", "env");
  await fc.assert(
    fc.asyncProperty(
      fc.array(star, { minLength: 1, maxLength: 5 }),
      fc.array(word, { minLength: 1, maxLength: 6 }),
      async (pattern, words) => {
        const home = await acceptedHome({ allow: [`Bash(${[...pattern, "*"].join(" ")})`] });
        const verdict = home.argv(...words);
        if (verdict.name !== "allow") return;
        const listed = pattern.filter((one) => one !== "*").length;
        expect(runningOptions(withoutDirectories(words)).length).toBeLessThanOrEqual(listed);
      },
    ),
    { numRuns: 150 },
  );
});

describe("a wrapper of more words than may each be its program", () => {
  const words = ["env", ...Array.from({ length: 4_000 }, (_, index) => (index % 2 === 0 ? "git" : "-c"))];

  it("is looked at as a whole, and no rule names that", () => {
    expect(runningOptions(words)).toEqual(["one of 4001 words"]);
    expect(areNamedIn(runningOptions(words), words)).toBe(false);
    expect(runningOptions(words.slice(0, 5))).toEqual(["env", "-c", "-c"]);
    expect(areNamedIn(runningOptions(words.slice(0, 5)), words.slice(0, 5))).toBe(true);
  });
});
