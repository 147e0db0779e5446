/**
 * The token that a gate shows to an address. Invariant: it stands in no argument, which every process of the machine can read,
 * and in no text that is shown, logged or part of what the server is known by: only where it is kept is named.
 */
import { resolve } from "node:path";
import { readBytes } from "../../broker/index.js";

/** Where it is kept. */
export type BearerPlace =
  | { readonly kind: "environment"; readonly name: string }
  | { readonly kind: "file"; readonly path: string };

/** The token, or what is wrong with it, in words of ours that follow its flag and never hold any of it. */
export type BearerRead =
  | { readonly kind: "token"; readonly token: string }
  | { readonly kind: "wrong"; readonly why: string };

/** As RFC 6750 writes one: nothing in it ends a header. */
const written = /^[A-Za-z0-9\-._~+/]+=*$/;
const mostBytes = 16 * 1024;

/** Reads it once. A relative path starts at `directory`; a file must be the person's own and closed to others. */
export function readBearer(
  place: BearerPlace,
  environment: Readonly<Record<string, string | undefined>>,
  directory: string,
): BearerRead {
  switch (place.kind) {
    case "environment":
      return tokenIn(environment[place.name], `the variable ${place.name}`);
    case "file": {
      const read = readBytes(resolve(directory, place.path), mostBytes);
      if (read.kind === "missing") return { kind: "wrong", why: `finds no file ${place.path}` };
      if (read.kind === "refused")
        return { kind: "wrong", why: `cannot use ${place.path}: ${read.objection}` };
      return tokenIn(
        Buffer.from(read.bytes)
          .toString("utf8")
          .replace(/\r?\n$/, ""),
        place.path,
      );
    }
    default:
      return place satisfies never;
  }
}

function tokenIn(text: string | undefined, where: string): BearerRead {
  if (text === undefined || text === "") return { kind: "wrong", why: `finds nothing in ${where}` };
  return written.test(text)
    ? { kind: "token", token: text }
    : { kind: "wrong", why: `finds no bearer token in ${where}` };
}
