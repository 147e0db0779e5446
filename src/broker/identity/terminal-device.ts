/** Numbers of terminals to names. Linux writes device numbers in two forms, which differ above 2^32 only. */

/** The terminal that stands for the controlling one of whoever opens it: /dev/tty. */
export const controllingTerminal = "/dev/tty";

/**
 * The name of a terminal by its device number, as /proc/PID/stat (`tty_nr`, signed) or `stat` (`st_rdev`) give it;
 * null for 0, which means none. A terminal without a name of its own is called by its numbers.
 */
export function terminalName(device: number): string | null {
  if (device === 0) return null;
  // A minor above 2^19 makes the signed form negative.
  const low = device >>> 0;
  const high = device < 0 ? 0 : Math.floor(device / 2 ** 32);
  const major = ((low >>> 8) & 0xfff) + (high & 0xfffff000);
  const minor = (low & 0xff) | ((low >>> 12) & 0xfff00);
  if (major === pseudoTerminals) return pseudoTerminalName(minor);
  if (major === 4 && minor < 64) return `/dev/tty${minor}`;
  if (major === 5 && minor === 0) return controllingTerminal;
  return `${major}:${minor}`;
}

/** The name of pseudo-terminal `index`. */
export function pseudoTerminalName(index: number): string {
  return `/dev/pts/${index}`;
}

const pseudoTerminals = 136;
