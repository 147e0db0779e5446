/** Work of which only so much is done at the same time: the rest has its turn when some of it is over. */

/** Opened by `openTurns`. */
export interface Turns<Item> {
  /** Begins with `item` at once, or when it has its turn. */
  add(item: Item): void;
  /** Takes back all that has not begun. */
  takeBack(): readonly Item[];
}

/** `run` begins with an item; it is over when its promise is settled or `onOver` was called, whichever comes first. */
export function openTurns<Item>(
  most: number,
  run: (item: Item, onOver: () => void) => Promise<void>,
): Turns<Item> {
  const waiting: Item[] = [];
  let underWay = 0;

  function next(): void {
    while (underWay < most) {
      const item = waiting.shift();
      if (item === undefined) return;
      underWay += 1;
      const over = once(() => {
        underWay -= 1;
        next();
      });
      void run(item, over).finally(over);
    }
  }

  return {
    add(item) {
      waiting.push(item);
      next();
    },
    takeBack: () => waiting.splice(0),
  };
}

function once(act: () => void): () => void {
  let isDone = false;
  return () => {
    if (isDone) return;
    isDone = true;
    act();
  };
}
