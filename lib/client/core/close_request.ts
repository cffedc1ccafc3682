/** What the browser asks to close when the user does; TypeScript does not know of it yet. */
interface CloseWatcher {
  onclose: (() => void) | null;
  destroy(): void;
}

/**
 * Lets Android's way back (the gesture, or the button) close something instead of leaving the page,
 * as it does with dialogs and menus by itself. Elsewhere there is a key for it, or a button.
 *
 * @param close what to do, once
 * @returns what to call when there is nothing to close any more
 */
export function onCloseRequest(close: () => void): () => void {
  const Watcher: (new () => CloseWatcher) | undefined = Reflect.get(globalThis, "CloseWatcher");
  if (!Watcher || !matchMedia("(pointer: coarse)").matches) return () => {};
  const watcher = new Watcher();
  watcher.onclose = close;
  return () => watcher.destroy();
}
