/**
 * What a client's configuration was before a gate was put into it: `backups/<id>.original`, the file to the byte, and
 * `backups/<id>.json`, what was changed in it, under a seal. Invariant: nothing is undone by a record that somebody else wrote or
 * changed, nor by a file that is not the one that was kept.
 */
import { join } from "node:path";
import { fileNameOf, type HomePlace, idOfFileName, makeDirectoriesDurably } from "../files/home-place.js";
import { namesIn } from "../files/look.js";
import { publishDurably } from "../files/publish.js";
import { readBytes, readJson } from "../files/read.js";
import { removeQuietly } from "../files/remove.js";
import { judgeIfMade } from "../files/safe-directory.js";
import { newIdentifier } from "../request/identifier.js";
import { hashSchema, sha256Hex } from "../request/long-text.js";
import { isSealed, type Keys, sealOf } from "../request/seal.js";
import * as s from "../request/shape.js";

const memberSchema = s.strictObject({ key: s.string(), raw: s.string() });

const changeSchema = s.strictObject({
  below: s.nullable(s.string()),
  was: s.nullable(memberSchema),
  now: memberSchema,
});

const recordSchema = s.strictObject({
  v: s.literal(1),
  at: s.integer({ least: 0 }),
  path: s.string(),
  place: s.array(s.string()),
  before: hashSchema,
  after: hashSchema,
  changes: s.array(changeSchema),
  mac: hashSchema,
});

const label = "wisp/backup/v1";

/**
 * One member of an entry as it was written and as it is: `key` is its name, `raw` its value with its quotes. `below` is the
 * member of the entry that it stands in; null where it stands in the entry itself.
 */
export type EntryChange = Readonly<s.Infer<typeof changeSchema>>;

/** What was changed in a file. */
export interface BackedUp {
  /** The file, absolute. */
  readonly path: string;
  /** The keys that lead to the entry. */
  readonly place: readonly string[];
  /** In the order in which they were made. */
  readonly changes: readonly EntryChange[];
}

/** One that was kept: its own record, and the hashes that tie it to a file. */
export interface Backup extends BackedUp {
  readonly id: string;
  /** In milliseconds since 1970. */
  readonly at: number;
  /** SHA-256 of the text that was written. */
  readonly after: string;
  /** Of the text before. */
  readonly before: string;
}

/** As large as a client's file is read. */
export const largestConfiguration = 16 * 1024 * 1024;
const largestRecord = 1024 * 1024;
const directoryName = "backups";

/** Keeps `before`, on disk when the promise resolves with where that is. Rejects with channel_unsafe, channel_unavailable. */
export async function keepBackup(
  home: HomePlace,
  keys: Keys,
  what: BackedUp,
  { before, after }: { readonly before: string; readonly after: string },
): Promise<{ readonly id: string; readonly original: string }> {
  await makeDirectoriesDurably(home, directoryName);
  const { clock } = home;
  const directory = join(home.path, directoryName);
  const id = newIdentifier((size) => clock.randomBytes(size));
  const { path, place, changes } = what;
  const record = {
    v: 1,
    at: clock.now(),
    path,
    place,
    before: sha256Hex(before),
    after: sha256Hex(after),
    changes,
  };
  // The original first: a record without it would promise what is not there.
  await publishDurably(directory, `${id}${original}`, before, clock);
  const mac = sealOf(label, { id, ...record }, await keys.derivedKey(label));
  await publishDurably(directory, fileNameOf(id), `${JSON.stringify({ ...record, mac })}\n`, clock);
  return { id, original: originalPath(home.path, id) };
}

/** The backups of one entry. */
export interface Backups {
  /** The newest first. */
  readonly found: readonly Backup[];
  /** How many say that they are of this entry, under no seal of ours. */
  readonly unsealed: number;
}

/** What cannot be read is none. Throws channel_unsafe. */
export function backupsOf(home: string, keys: Keys, path: string, place: readonly string[]): Backups {
  const directory = join(home, directoryName);
  if (!judgeIfMade(directory)) return { found: [], unsealed: 0 };
  const all = namesIn(directory).flatMap((name) => {
    const id = idOfFileName(name);
    const read = id === null ? null : readJson(join(directory, name), largestRecord);
    if (id === null || read?.kind !== "value") return [];
    const parsed = recordSchema.safeParse(read.value);
    if (!parsed.success || parsed.data.path !== path || !isSamePlace(parsed.data.place, place)) return [];
    const { mac, ...record } = parsed.data;
    // The id is sealed as well: a record of one backup must not pass for that of another.
    return [{ ...record, id, isOurs: isSealed(label, { id, ...record }, mac, keys) }];
  });
  const found = all.filter(({ isOurs }) => isOurs).sort((one, other) => other.at - one.at);
  return { found, unsealed: all.length - found.length };
}

/** The text of the file before; null where it is not there any more, or is another one. */
export function originalOf(home: string, { id, before }: Backup): string | null {
  const read = readBytes(originalPath(home, id), largestConfiguration);
  if (read.kind !== "bytes") return null;
  const text = Buffer.from(read.bytes).toString("utf8");
  return sha256Hex(text) === before ? text : null;
}

/** Where that text is kept. */
export function originalPath(home: string, id: string): string {
  return join(home, directoryName, `${id}${original}`);
}

/** Removes one that was put back: it may hold keys and passwords. */
export function dropBackup(home: string, { id }: Pick<Backup, "id">): void {
  removeQuietly(join(home, directoryName, fileNameOf(id)));
  removeQuietly(originalPath(home, id));
}

const original = ".original";

function isSamePlace(one: readonly string[], other: readonly string[]): boolean {
  return one.length === other.length && one.every((name, index) => name === other[index]);
}
