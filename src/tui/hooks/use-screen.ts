/** The screen of a store, for components. */
import { useSyncExternalStore } from "react";
import type { Screen } from "../screen/screen.js";
import type { Store } from "../store.js";

/** What is to be drawn now; whoever uses it is drawn again with every change. */
export function useScreen({ subscribe, screen }: Pick<Store, "subscribe" | "screen">): Screen {
  return useSyncExternalStore(subscribe, screen);
}
