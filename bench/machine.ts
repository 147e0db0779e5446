/** The machine that measured, as far as it matters for the figures: nothing that names it or its owner. */
import { statfsSync } from "node:fs";
import { cpus, loadavg, release, tmpdir, type } from "node:os";

const fileSystems = new Map<number, string>([
  [0xef53, "ext4"],
  [0x01021994, "tmpfs"],
  [0x9123683e, "btrfs"],
  [0x58465342, "xfs"],
  [0x794c7630, "overlayfs"],
]);

export function machineLine(): string {
  const model = cpus()[0]?.model.trim() ?? "unknown processor";
  const kernel = release().split("-")[0];
  const fileSystem = fileSystems.get(statfsSync(tmpdir()).type) ?? "another file system";
  return `${model}, ${cpus().length} cores · Node ${process.versions.node} · ${type()} ${kernel} · ${fileSystem}`;
}

export function loadLine(): string {
  return `load average ${loadavg()
    .map((load) => load.toFixed(1))
    .join(", ")}`;
}
