import { effect } from "@preact/signals";
import { onCloseRequest } from "../core/close_request.ts";
import type { Selection } from "./selection.ts";

const followed = new WeakSet<Selection>();

/** From now on the way back ends what is being selected by taps, before it leaves the folder. */
export function endSelectionOnBack(selection: Selection): void {
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
