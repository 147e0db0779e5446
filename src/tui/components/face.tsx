/** The whole screen, row by row. */
import { Box } from "ink";
import { type ReactElement, useMemo } from "react";
import type { Screen } from "../screen/screen.js";
import { keyLines, noticeLine } from "./below.js";
import { bodyLines } from "./body.js";
import { headerLine } from "./header.js";
import { Input } from "./input.js";
import { Line } from "./line.js";
import type { Look } from "./look.js";

/** What the face draws, and how. */
export interface FaceProps {
  readonly screen: Screen;
  readonly look: Look;
}

/**
 * Draws `screen` in exactly `screen.size.rows` rows: the body is filled up, so that the input line and the keys stay
 * where they are, and never taller, since Ink would write a screen that is too tall anew for every change.
 */
export function Face({ screen, look }: FaceProps): ReactElement {
  const { header, body, notices, input, keys, size } = screen;
  const { columns, rows } = size;
  const hints = keyLines(keys, columns, look);
  const inputRow = rows - hints.length - (input === null ? 0 : 1);
  const bodyEnd = inputRow - notices.length;
  const above = useMemo(() => {
    const first = body.kind === "tiny" ? [] : [headerLine(header, columns, look)];
    return filled([...first, ...bodyLines(body, columns, look)], bodyEnd);
  }, [header, body, columns, look, bodyEnd]);
  const noted = notices.map((notice) => noticeLine(notice, columns, look));
  return (
    <Box flexDirection="column">
      <Lines lines={[...above, ...noted]} from={0} />
      {input !== null && <Input line={input} row={inputRow} columns={columns} look={look} />}
      <Lines lines={hints} from={inputRow + 1} />
    </Box>
  );
}

function filled(lines: readonly string[], rows: number): readonly string[] {
  return Array.from({ length: Math.max(0, rows) }, (_, row) => lines[row] ?? "");
}

/** A row is known by where it stands: what changes there is written there. */
function Lines({ lines, from }: { readonly lines: readonly string[]; readonly from: number }): ReactElement {
  const rows = lines.map((text, offset) => ({ text, at: from + offset }));
  return (
    <>
      {rows.map(({ text, at }) => (
        <Line key={at} text={text} />
      ))}
    </>
  );
}
