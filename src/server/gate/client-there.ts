/** Is whoever started the gate still at the other end of its standard input? Asked while that is not read from. */
import { writeSync } from "node:fs";
import { errnoOf } from "../../broker/index.js";

/**
 * Node reports the end of what it reads only behind all that was written before, and says nothing of a hang-up on what it does
 * not read. So two things are looked at: the process that started this one, which is another once it has died; and the
 * other end of `input`, which many clients, Node's among them, make a pair of sockets. A pipe that a living client closes
 * cannot be told from one that it keeps.
 */
export function clientLook(input: number): () => boolean {
  const parent = process.ppid;
  return () => process.ppid === parent && !isHungUp(input);
}

/** Is the other end of a socket closed? A write of no bytes says so, and changes nothing. False for all that is no socket. */
export function isHungUp(input: number): boolean {
  try {
    writeSync(input, nothing, 0, 0);
    return false;
  } catch (error) {
    return errnoOf(error) === "EPIPE";
  }
}

const nothing = new Uint8Array(0);
