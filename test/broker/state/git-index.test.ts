import { hash } from "node:crypto";
import fc from "fast-check";
import { expect, it } from "vitest";
import { stagedIdentity } from "../../../src/broker/state/git-index.js";

/** One that git would take for whole: `body` behind a header that promises so many entries. */
function indexOf(version: number, entries: number, ...body: readonly Buffer[]): Buffer {
  const header = Buffer.from("DIRC\0\0\0\0\0\0\0\0", "latin1");
  header.writeUInt32BE(version, 4);
  header.writeUInt32BE(entries, 8);
  const bytes = Buffer.concat([header, ...body]);
  return Buffer.concat([bytes, Buffer.from(hash("sha1", bytes, "hex"), "hex")]);
}

/** Times, mode, object and flags of an entry; what is left of its path comes behind them. */
function entry(object: string, ...rest: readonly (string | number)[]): Buffer {
  const fixed = Buffer.alloc(62);
  fixed.writeUInt32BE(0o100644, 24);
  fixed.write(object, 40, "latin1");
  return Buffer.concat([fixed, ...rest.map((one) => Buffer.from(typeof one === "string" ? one : [one]))]);
}

/** An entry of version 2, with the zeros that end it at eight bytes. */
function padded(object: string, path: string): Buffer {
  const bytes = entry(object, path);
  return Buffer.concat([bytes, Buffer.alloc(8 - (bytes.length % 8))]);
}

const plain = indexOf(2, 2, padded("one", "dir/a"), padded("two", "dir/bc"));

it("the same is staged, in whichever version it is written", () => {
  const short = indexOf(4, 2, entry("one", 0, "dir/a", 0), entry("two", 1, "bc", 0));
  expect(stagedIdentity(plain)).toMatch(/^staged /);
  expect(stagedIdentity(short)).toBe(stagedIdentity(plain));
  const other = indexOf(4, 2, entry("one", 0, "dir/a", 0), entry("two", 2, "bc", 0));
  expect(stagedIdentity(other)).not.toBe(stagedIdentity(plain));
});

const first = entry("one", 0, "dir/a", 0);

it.each<readonly [string, Buffer]>([
  ["of an earlier version", indexOf(1, 0)],
  ["of a later version", indexOf(5, 0)],
  ["that promises more entries than it has", indexOf(2, 3, padded("one", "dir/a"), padded("two", "dir/bc"))],
  ["with a path that does not end", indexOf(2, 1, entry("one", "a".repeat(40)))],
  ["with a path that ends in the checksum", indexOf(2, 1, entry("one", "6a"))],
  ["that keeps of a path what it had not", indexOf(4, 2, first, entry("two", 6, "bc", 0))],
  // In 32 bits it would be less than nothing, and the path a whole one.
  [
    "that keeps more of a path than a number holds",
    indexOf(4, 2, first, entry("two", 0x87, 0xff, 0xff, 0xff, 0x7f, "bc", 0)),
  ],
  ["with a number that does not end", indexOf(4, 2, first, entry("two", ...Array(9).fill(0xff), "bc", 0))],
])("an index %s is taken whole, and the one beside it as it is staged", (_, index) => {
  expect(stagedIdentity(index)).toBe(`whole ${hash("sha256", index, "hex")}`);
  expect(stagedIdentity(plain)).toMatch(/^staged /);
});

it("any bytes in an index leave it an identity, and other objects another one", () => {
  const bodies = fc.array(
    fc.uint8Array({ maxLength: 90 }).map((bytes) => Buffer.from(bytes)),
    { maxLength: 4 },
  );
  fc.assert(
    fc.property(fc.integer({ min: 2, max: 4 }), fc.nat(5), bodies, (version, entries, body) => {
      expect(stagedIdentity(indexOf(version, entries, ...body))).toMatch(/^(staged|whole) [0-9a-f]{64}$/);
    }),
  );
  const changed = indexOf(2, 2, padded("one", "dir/a"), padded("2wo", "dir/bc"));
  expect(stagedIdentity(changed)).not.toBe(stagedIdentity(plain));
});
