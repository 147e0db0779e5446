/** What a server prints that is no message, for a person who sees why it does not start. */
import { shownText } from "../../../broker/index.js";

const mostLines = 12;
const longestLine = 300;

/** The first lines of what it prints, escaped and cut: a person may see why it does not start. */
export function createPrinted(say: (line: string) => void): (line: Buffer) => void {
  let count = 0;
  return (line) => {
    const text = line.toString("utf8").trimEnd();
    if (text === "") return;
    count += 1;
    if (count > mostLines + 1) return;
    const isCut = text.length > longestLine;
    say(
      count > mostLines
        ? "… (more is not shown)"
        : `${shownText(text.slice(0, longestLine))}${isCut ? "…" : ""}`,
    );
  };
}
