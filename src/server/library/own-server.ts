/** The server that asks through the library: by the name that its author gives it, and as the program that runs. */
import { canonicalJson, isGateName, sha256Hex, shownText, WispError } from "../../broker/index.js";
import { quoteArgv } from "../command/quote.js";
import type { ServerIdentity } from "../gate/calls/tool-subject.js";

/** `program` is the file that runs. Throws invalid_input for a name by which no rule could speak of its tools. */
export function ownServer(name: string, program: string): ServerIdentity {
  if (!isGateName(name)) {
    throw new WispError(
      "invalid_input",
      `"${shownText(name)}" cannot be the name of a server: small letters, digits and dashes, at most 32.`,
    );
  }
  const hash = sha256Hex(`wisp/library/v1\n${canonicalJson({ program })}`);
  return { name, hash, text: shownText(quoteArgv([program])) };
}
