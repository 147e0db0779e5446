/** Why a message to an address came to nothing, and whether any of it can have arrived there. */
import { SdkError, SdkHttpError } from "@modelcontextprotocol/client";
import { isObject } from "./json-object.js";

/** No connection came about, so nothing was sent. */
export class UnsentError extends Error {
  override readonly name = "UnsentError";
}

/** Calls of the system that come before the first byte. */
const before = new Set<unknown>(["connect", "getaddrinfo"]);
/** What the HTTP of Node calls a connection that did not come about in time. */
const connectTimeout = "UND_ERR_CONNECT_TIMEOUT";

/** Did what `fetch` threw happen before a connection was there? */
export function isUnconnected(error: unknown): boolean {
  const cause = isObject(error) ? error.cause : null;
  if (!isObject(cause)) return false;
  // Several addresses were tried, one after the other.
  const all = Array.isArray(cause.errors) && cause.errors.length > 0 ? cause.errors : [cause];
  return all.every((one) => isObject(one) && (before.has(one.syscall) || one.code === connectTimeout));
}

/** Words of ours alone: what the server says of it would be shown as if we said it. */
export function reasonOf(error: unknown): string {
  if (error instanceof SdkHttpError) return `The server refused it with HTTP status ${error.status}.`;
  const code = isObject(error) && isObject(error.cause) ? error.cause.code : null;
  const errno = typeof code === "string" && /^[A-Z0-9_]+$/.test(code) ? ` (${code})` : "";
  if (error instanceof UnsentError) return `The server could not be reached${errno}; nothing was sent.`;
  if (errno !== "") return `The server could not be reached, or the connection broke${errno}.`;
  if (error instanceof SdkError || error instanceof SyntaxError) return "The server's answer is no message.";
  return "The server could not be reached, or its answer is no message.";
}
