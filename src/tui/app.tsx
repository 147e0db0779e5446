/** The full-screen face as ink draws it. */
import type { ReactElement } from "react";
import { Face } from "./components/face.js";
import type { Look } from "./components/look.js";
import { useScreen } from "./hooks/use-screen.js";
import type { Store } from "./store.js";

/** Draws the screen of `store`, again with every change of it. */
export function App({ store, look }: { readonly store: Store; readonly look: Look }): ReactElement {
  return <Face screen={useScreen(store)} look={look} />;
}
