/** The least that ink draws: one line, and an end when something is typed. Bundled like ours. */
import { render, Text } from "ink";
import { createElement } from "react";

const { unmount } = render(createElement(Text, null, "hello from ink"));
process.stdin.setRawMode(true);
process.stdin.once("data", () => {
  unmount();
  process.stdin.setRawMode(false);
  process.stdin.pause();
});
