/** A second file system of pseudo-terminals, as a sandbox has one: what anybody can make who may have namespaces. */
import { spawnSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type Pty, startInPty } from "./pty.js";

const namespaces = ["unshare", "-Urm"] as const;

/** Why none can be made here, or null. Tests that need one are skipped with this reason. */
export const otherTerminalsMissing: string | null =
  spawnSync(namespaces[0], [
    ...namespaces.slice(1),
    "mount",
    "-t",
    "devpts",
    "-o",
    "newinstance",
    "devpts",
    "/mnt",
  ]).status === 0
    ? null
    : "namespaces and mounts of one's own are not allowed here";

/**
 * Starts python in a terminal, with such a file system at `directory`/pts and its ptmx also at `directory`/name. Before
 * `program` stand `own`, the number of its terminal, and `master(path)`, which opens masters until one has that number;
 * after it the program prints `pid:<number>.` and stays.
 */
export function amongOtherTerminals(directory: string, program: string): Pty {
  mkdirSync(join(directory, "pts"));
  writeFileSync(join(directory, "name"), "");
  const mounts = [
    `mount -t devpts -o newinstance,ptmxmode=0666 devpts ${directory}/pts`,
    `mount --bind ${directory}/pts/ptmx ${directory}/name`,
    'exec python3 -c "$0"',
  ];
  const words = [...namespaces, "sh", "-c", mounts.join(" && "), `${preamble}\n${program}\n${ending}`];
  return startInPty(words, { directory });
}

const preamble = `
import fcntl, os, struct, time
own = int(os.ttyname(0).rsplit("/", 1)[1])
opened = []
def master(path):
    while True:
        one = os.open(path, os.O_RDWR | os.O_NOCTTY)
        fcntl.ioctl(one, 0x40045431, struct.pack("i", 0))
        if struct.unpack("I", fcntl.ioctl(one, 0x80045430, bytes(4)))[0] == own:
            return one
        opened.append(one)
`;
const ending = `
for one in opened:
    os.close(one)
print(f"pid:{os.getpid()}.", flush=True)
time.sleep(600)
`;
