/** Copies of what was accepted, and the list of them: what is not as we left it counts for nothing, and that shows. */
import { chmodSync, copyFileSync, existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { readAccepted, removeAccepted, sealedPath, writeAccepted } from "../../../src/broker/files/sealed.js";
import { sealedNames, sealedNamesPath } from "../../../src/broker/files/sealed-names.js";
import { rootSecretOf } from "../../../src/broker/identity/root-secret.js";
import { systemClock } from "../../../src/broker/system/clock.js";
import { tempDirectory } from "../../support/temp-home.js";

function place() {
  const path = tempDirectory();
  const home = { path, ensureHome: () => path, clock: systemClock };
  const keys = rootSecretOf(home);
  const asOthers = () => rootSecretOf(home);
  return {
    path,
    home,
    asOthers,
    list: sealedNamesPath(path),
    write: (name: (typeof sealedNames)[number], value: unknown) => writeAccepted(home, name, value, keys),
    remove: (name: (typeof sealedNames)[number]) => removeAccepted(home, name, keys),
    read: (name: (typeof sealedNames)[number]) => readAccepted(path, name, asOthers()),
  };
}

const gone = { kind: "untrusted", reason: "it is gone" };

describe("an accepted copy", () => {
  it.each(sealedNames)("of %s is none in a fresh home, and reading makes nothing", (name) => {
    const { path, read } = place();
    expect(read(name)).toEqual({ kind: "none" });
    expect(existsSync(join(path, "keys"))).toBe(false);
  });

  it.each(sealedNames)("of %s that was taken away is missed, one that was removed is not", async (name) => {
    const { path, write, remove, read } = place();
    await write(name, "a");
    rmSync(sealedPath(path, name));
    expect(read(name)).toEqual(gone);
    for (const other of sealedNames.filter((one) => one !== name)) expect(read(other).kind).toBe("none");
    await write(name, "b");
    expect(read(name)).toMatchObject({ kind: "accepted", value: "b" });
    await remove(name);
    expect(read(name)).toEqual({ kind: "none" });
  });

  it.each<[string, (list: string) => void]>([
    ["edited", (list) => writeFileSync(list, readFileSync(list, "utf8").replace('["policy.json"]', "[]"))],
    ["half", (list) => writeFileSync(list, readFileSync(list).subarray(0, 20))],
    ["open to others", (list) => chmodSync(list, 0o644)],
  ])(
    "is missed for every file while the list is %s; with the good list again for none",
    async (_what, spoil) => {
      const { path, list, write, read } = place();
      await write("policy.json", "a");
      copyFileSync(list, join(path, "good"));
      spoil(list);
      expect(read("policy.json").kind).toBe("accepted");
      expect(read("config.json")).toEqual(gone);
      rmSync(list);
      copyFileSync(join(path, "good"), list);
      chmodSync(list, 0o600);
      expect(read("config.json")).toEqual({ kind: "none" });
    },
  );

  it("stays missed while another is written over a list that cannot be trusted", async () => {
    const { list, write, remove, read } = place();
    await write("policy.json", "a");
    writeFileSync(list, "{}");
    await write("policy.json", "b");
    expect(read("config.json")).toEqual(gone);
    await remove("config.json");
    expect(read("config.json")).toEqual({ kind: "none" });
    expect(read("remembered.json")).toEqual(gone);
    expect(read("policy.json")).toMatchObject({ kind: "accepted", value: "b" });
  });

  it("counts for nothing without the secret, also one that is missing", async () => {
    const { path, home, asOthers, write, read } = place();
    await write("policy.json", "a");
    rmSync(join(path, "keys", "root"));
    expect(read("policy.json")).toEqual({ kind: "untrusted", reason: "its seal is not ours" });
    expect(read("config.json")).toEqual(gone);
    // By a process that never had the old one.
    await writeAccepted(home, "policy.json", "b", asOthers());
    expect(read("policy.json")).toMatchObject({ kind: "accepted", value: "b" });
  });
});
