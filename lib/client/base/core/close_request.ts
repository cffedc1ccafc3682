import { effect, type Signal } from "@preact/signals";

/** The `CloseWatcher` API, which TypeScript's DOM types lack. */
interface CloseWatcher {
  onclose: (() => void) | null;
  destroy(): void;
}

/**
 * Makes Android's back gesture or button close something instead of leaving the page, as it does
 * for dialogs and popovers. Does nothing on other systems.
 *
 * @param close called once
 * @returns releases the gesture
 */
export function onCloseRequest(close: () => void): () => void {
  const Watcher: (new () => CloseWatcher) | undefined = Reflect.get(globalThis, "CloseWatcher");
  if (!Watcher || !matchMedia("(pointer: coarse)").matches) return () => {};
  const watcher = new Watcher();
  watcher.onclose = close;
  return () => watcher.destroy();
}

/** The part of a selection that the back gesture ends. */
export interface EndedSelection {
  /** Whether taps select, in place of opening. */
  multiple: Signal<boolean>;
  clear(): void;
}

const followed = new WeakSet<EndedSelection>();

/** Makes Android's back gesture end the multiple selection before it leaves the folder. */
export function endSelectionOnBack(selection: EndedSelection): void {
  if (followed.has(selection)) return;
  followed.add(selection);
  let release = () => {};
  effect(() => {
    release();
    release = selection.multiple.value ? onCloseRequest(end) : () => {};
  });

  function end(): void {
    selection.clear();
    selection.multiple.value = false;
  }
}
