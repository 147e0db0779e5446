/** How a gate says at an address who it is. */
import { unescape as unquoted } from "node:querystring";

/** How a gate says at `url` who it is, as a header: by the token, else by name and password of the address; nothing for neither. */
export function authorizationFor({ username, password }: URL, bearer: string | null): Record<string, string> {
  if (bearer !== null) return { authorization: `Bearer ${bearer}` };
  if (username === "" && password === "") return {};
  const words = `${unquoted(username)}:${unquoted(password)}`;
  return { authorization: `Basic ${Buffer.from(words).toString("base64")}` };
}
