import { type ReadonlySignal, signal } from "@preact/signals";
import { IS_BROWSER } from "fresh/runtime";
import { keepIn, openLocalStorage } from "../../../base/core/browser_storage.ts";
import { useShared } from "../../../base/core/page.ts";

const KEY = "cubby-tree";

/** Whether the tree of folders in the sidebar is open; kept in the browser. */
export interface TreePanel {
  isOpen: ReadonlySignal<boolean>;
  /** Opens it if it was left open; not before hydration, as the server renders it closed. */
  restore(): void;
  toggle(): void;
}

/** The state of the tree of folders. */
export function useTreePanel(): TreePanel {
  return useShared("tree", () => {
    const isOpen = signal(false);
    return {
      isOpen,
      restore() {
        isOpen.value = IS_BROWSER && openLocalStorage().getItem(KEY) === "open";
      },
      toggle() {
        isOpen.value = !isOpen.peek();
        keepIn(openLocalStorage(), KEY, isOpen.peek() ? "open" : "");
      },
    };
  });
}
