/**
 * The order in which a client's messages go on. Invariant: nothing goes on before what was written before it, but what has
 * stepped aside: a call that waits for a person holds nobody up.
 */

/** The place of one call in it. */
export interface Turn {
  /** Resolves when nothing before it is left, or it is over; null where that is so now. */
  ready(): Promise<void> | null;
  /** What is behind it waits for it no more: it went on, stepped aside, or never will. Nothing happens a second time. */
  over(): void;
}

/** Of one connection. */
export interface Turns {
  /** The next place. Whoever takes it says when it is over. */
  take(): Turn;
  /** Calls `send` when nothing before it is left: now, where that is so. */
  run(send: () => void): void;
}

interface Place {
  /** Null for a call, which says itself when it is over. */
  readonly send: (() => void) | null;
  isOver: boolean;
  wake: () => void;
}

/** Nothing is before the first. */
export function createTurns(): Turns {
  const places: Place[] = [];
  let isAdvancing = false;

  function advance(): void {
    // A message that is sent may end others: they are seen by the loop that sent it.
    if (isAdvancing) return;
    isAdvancing = true;
    for (let [first] = places; first !== undefined; [first] = places) {
      if (!first.isOver && first.send === null) break;
      places.shift();
      first.send?.();
    }
    isAdvancing = false;
    places[0]?.wake();
  }

  return {
    take() {
      const place: Place = { send: null, isOver: false, wake: () => undefined };
      places.push(place);
      return {
        ready() {
          if (place.isOver || places[0] === place) return null;
          return new Promise((resolve) => {
            place.wake = resolve;
          });
        },
        over() {
          if (place.isOver) return;
          place.isOver = true;
          place.wake();
          advance();
        },
      };
    },
    run(send) {
      if (places.length === 0 && !isAdvancing) return send();
      places.push({ send, isOver: false, wake: () => undefined });
      advance();
    },
  };
}
