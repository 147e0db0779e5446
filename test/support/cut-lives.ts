/**
 * Processes that live on a disk and may be cut off at any of their steps. Import it before whatever is to be watched, as
 * `fs-recorder`.
 */
import { recorded, type Step } from "./fs-recorder.js";
import { Disk, onDisk } from "./power-cut.js";

/** What a process does that was started in a home, and says of it by marks: what has run, what was promised. */
export type Life = (path: string) => Promise<void>;

export interface Found {
  readonly disk: Disk;
  /** The marks of all that came before. */
  readonly marks: readonly string[];
}

export const nothing: Found = { disk: Disk.of(new Map()), marks: [] };

export function stepsOf({ disk }: Found, life: Life): Promise<readonly Step[]> {
  return onDisk(disk.now(), (path) => recorded(path, () => life(path)));
}

/** What is found after a process that nothing happened to. */
export async function liveIn(found: Found, life: Life): Promise<Found> {
  const disk = found.disk.copy();
  for (const step of await stepsOf(found, life)) disk.apply(step);
  return { ...found, disk };
}

/**
 * Lets a process live in what was found, and gives all that may be found when it dies at any of its steps: what there
 * was at that moment, and whatever is there after the power went as well.
 */
export async function cutAnywhere(found: Found, life: Life): Promise<readonly Found[]> {
  const steps = await stepsOf(found, life);
  const disk = found.disk.copy();
  let { marks } = found;
  const all: Found[] = [];
  const note = (): void => {
    all.push({ disk: disk.copy(), marks });
    for (const tree of disk.cuts()) all.push({ disk: Disk.of(tree), marks });
  };
  note();
  for (const step of steps) {
    if (step.kind === "mark") marks = [...marks, step.name];
    disk.apply(step);
    note();
  }
  return unique(all);
}

export async function cutAfter(founds: readonly Found[], life: Life): Promise<readonly Found[]> {
  const all: Found[] = [];
  for (const found of founds) all.push(...(await cutAnywhere(found, life)));
  return unique(all);
}

function unique(all: readonly Found[]): readonly Found[] {
  return [...new Map(all.map((one) => [`${one.marks.join()}\n${one.disk.key()}`, one])).values()];
}
