/** Screens to draw, with overrides. */
import type { Body, CardPart, CardRow, CardTone, QueueRow, Screen } from "../../src/tui/screen/screen.js";

type Work = Extract<Body, { kind: "work" }>;

/** A row of a card; one without a label goes on with the row before it, unless it is said that it does not. */
export function cardRow(
  label: string,
  text: string,
  tone: CardTone = "plain",
  isFold: boolean = label === "",
): CardRow {
  return { label, text, tone, isFold };
}

export function cardPart(overrides: Partial<CardPart> = {}): CardPart {
  return {
    columns: 80,
    title: "Run a command?",
    level: "high",
    tone: "high",
    id: "k7q2mx9d",
    left: "9:41",
    rows: [
      cardRow("runs", "git push --force origin main", "content"),
      cardRow("in", "/src/api"),
      cardRow("calls itself", "claude-code 2.1"),
      cardRow("agent says", "Publish the fix so CI can run", "words"),
      cardRow("level", "high: rewrites what others have", "level"),
      cardRow("warning", "1 character stands escaped, as \\u{…} or ␠×N", "warning"),
    ],
    above: 0,
    below: 0,
    foot: ["y approves once, d denies"],
    isSeen: true,
    ...overrides,
  };
}

export function queueRow(overrides: Partial<QueueRow> = {}): QueueRow {
  return {
    key: "k7q2mx9d",
    isSelected: true,
    id: "k7q2mx9d",
    level: "high",
    tone: "high",
    what: "git push --force origin main",
    who: "claude-code · git",
    left: "9:41",
    ...overrides,
  };
}

/** A card below a queue of one, or of `rows`. */
export function workBody(
  card: CardPart = cardPart(),
  rows: readonly QueueRow[] = [queueRow()],
  overrides: Partial<Work> = {},
): Work {
  return {
    kind: "work",
    layout: "stacked",
    queue: { columns: card.columns, rows, above: 0, below: 0 },
    card,
    ...overrides,
  };
}

export function screenOf(overrides: Partial<Screen> = {}): Screen {
  return {
    size: { columns: 80, rows: 23 },
    header: { waits: "1 waiting", health: "~/.wisp ok", isHealthy: true },
    body: workBody(),
    notices: [],
    input: null,
    keys: [
      { key: "y", does: "once", isDim: false },
      { key: "s", does: "session", isDim: true },
      { key: "d", does: "deny", isDim: false },
      { key: "q", does: "quit", isDim: false },
    ],
    ...overrides,
  };
}
