/** One row of the screen. */
import { Text } from "ink";
import { memo, type ReactElement } from "react";

/** Draws `text`, which is no wider than the terminal and holds no line break, and draws it again only when it changes. */
export const Line = memo(function Line({ text }: { readonly text: string }): ReactElement {
  // Without a blank the row would have no height.
  return <Text wrap="truncate">{text === "" ? " " : text}</Text>;
});
