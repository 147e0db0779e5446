/** In what deny and ask rules are searched: what programs run that run others. */
import { describe, expect, test } from "vitest";
import { acceptedHome } from "../../support/policy-home.js";

const rules = { deny: ["Bash(git push *)"], allow: ["Bash"] };

describe("what a program runs that runs others", () => {
  test.each([
    ["find", ".", "-exec", "git", "push", "x", ";"],
    ["find", ".", "-execdir", "/usr/bin/git", "-C", "y", "push", "x", "+"],
    ["fd", "x", "-X", "git", "push"],
    ["ssh", "localhost", "git push x"],
    ["ssh", "-p", "22", "localhost", "git", "push", "x"],
    ["ssh", "h", "sudo ssh i 'git push x'"],
    ["ssh", "h", "true;git", "push"],
    ["busybox", "env", "git", "push", "x"],
    ["npx", "-c", "git push x"],
    ["npm", "exec", "-c", "git push x"],
    ["npm", "exec", "--", "git", "push"],
    ["script", "-qc", "git push x", "/dev/null"],
    ["flock", "-x", "/tmp/l", "-c", "git push x"],
    ["trap", "git push x", "EXIT"],
    ["sg", "g", "-c", "git push x"],
    ["setpriv", "--reuid", "1", "git", "push", "x"],
    ["prlimit", "--nofile=9", "git", "push", "x"],
    ["unbuffer", "git", "push", "x"],
    ["dbus-run-session", "git", "push", "x"],
    ["systemd-run", "--user", "git", "push", "x"],
    ["/lib64/ld-linux-x86-64.so.2", "/usr/bin/git", "push", "x"],
    ["start-stop-daemon", "--start", "--exec", "/usr/bin/git", "push", "x"],
    ["chroot", "/x", "git", "push"],
    ["unshare", "-r", "git", "push"],
    ["stdbuf", "-o", "L", "git", "push"],
    ["docker", "run", "--rm", "i", "git", "push"],
    ["kubectl", "-n", "x", "exec", "p", "--", "git", "push"],
    ["env", "git-push", "x"],
    ["env", "-S", "git push x"],
    ["sudo", "su", "p", "-c", "git push x"],
    ["git", "submodule", "foreach", "git push x"],
    ["git", "rebase", "-x", "git push x", "main"],
    ["git", "bisect", "run", "git", "push"],
    ["git", "-c", "core.pager=git push x", "log"],
    ["python3", "-c", "import os; os.system('git push x')"],
    ["node", "-e", 'require("child_process").execSync("git push x")'],
    ["env", ...Array<string>(3_000).fill("a=b"), "git", "-C", "x", "push"],
    ["env", "git", ...Array<string>(70).fill("-P"), "push"],
  ])("is denied as it is by itself: %s %s %s %s", async (...argv) => {
    const home = await acceptedHome(rules);
    expect(home.argv(...argv)).toMatchObject({ name: "deny", rule: { text: "Bash(git push *)" } });
    expect(home.argv("git", "status")).toMatchObject({ name: "allow" });
  });

  test.each([
    ["git", "commit", "-m", "git push x"],
    ["grep", "-r", "git push", "."],
    ["env", "A=1", "git", "commit", "-m", "git push x"],
    ["find", ".", "-exec", "grep", "git push", "{}", ";"],
    ["npm", "install", "git push"],
    ["find", ".", "-name", "git push"],
    ["docker", "rm", "git", "push"],
    ["kubectl", "get", "git", "push"],
    ["ssh", "h", "legit push"],
    ["env", "legit", "push"],
    ["echo", "git", "push"],
  ])("is not what others speak of: %s %s %s %s", async (...argv) => {
    const home = await acceptedHome(rules);
    expect(home.argv(...argv).name).not.toBe("deny");
    expect(home.argv("git", "push")).toMatchObject({ name: "deny" });
  });
});

describe("when of a rule that makes stricter", () => {
  const at = (index: number | string, value: string) => ({ arg: `$.argv[${index}]`, equals: value });

  test.each<[unknown, readonly string[], readonly string[]]>([
    [
      { rule: "Bash", when: [at(0, "curl")] },
      ["env", "-u", "A", "/usr/bin/curl", "x"],
      ["env", "a", "curls"],
    ],
    [
      { rule: "Bash(curl *)", when: [at(1, "x")] },
      ["timeout", "5", "curl", "x"],
      ["timeout", "5", "curl", "y", "z", "x"],
    ],
    [
      { rule: "Bash(curl *)", when: [at("*", "--evil")] },
      ["env", "curl", "a", "--evil"],
      ["env", "curl", "a"],
    ],
    [{ rule: "Bash(curl *)", when: [at(-1, "x")] }, ["env", "curl", "a", "x"], ["env", "curl", "x", "a"]],
    [
      { rule: "Bash(curl *)", when: [at(0, "curl"), { arg: "$.argv[*]", countOver: 2 }] },
      ["env", "A=1", "curl", "a", "b"],
      ["env", "A=1", "curl", "a"],
    ],
  ])("%j is held against each command that may begin there", async (entry, denied, other) => {
    const home = await acceptedHome({ deny: [entry], allow: ["Bash"] });
    expect(home.argv(...denied).name).toBe("deny");
    expect(home.argv(...other).name).not.toBe("deny");
  });
});
