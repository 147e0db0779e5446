/** The full-screen face as ink draws it. */
import { type ReactElement, useInsertionEffect } from "react";
import { Face } from "./components/face.js";
import type { Look } from "./components/look.js";
import { useScreen } from "./hooks/use-screen.js";
import type { Screen } from "./screen/screen.js";
import type { Store } from "./store.js";

/** What is drawn, and who is told of it. */
export interface AppProps {
  readonly store: Store;
  readonly look: Look;
  /** The next frame is of this screen. */
  readonly onMade: (screen: Screen) => void;
}

/** Draws the screen of `store`, again with every change of it. */
export function App({ store, look, onMade }: AppProps): ReactElement {
  const screen = useScreen(store);
  // Of all effects only these run before ink makes a frame of what has changed.
  useInsertionEffect(() => onMade(screen), [screen, onMade]);
  return <Face screen={screen} look={look} />;
}
