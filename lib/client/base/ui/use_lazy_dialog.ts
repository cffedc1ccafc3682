import { useLayoutEffect } from "react";
import type { Lazy } from "../core/lazy.ts";
import { useLazy } from "../core/use_site.ts";
import { holdKeys, replayKeys } from "./held_keys.ts";

/**
 * The exports of a lazy module that shows a modal dialog, or null until they are loaded. Keys that
 * are pressed meanwhile do not reach the page below; the dialog gets them once it is shown.
 *
 * @param needed whether to load it now
 * @param close closes the dialog that is not shown yet: by Esc, and when it cannot be loaded, so
 * that it can be opened again; absent when it stays
 */
export function useLazyDialog<T>(module: Lazy<T>, needed: boolean, close?: () => void): T | null {
  const code = useLazy(module, needed, close);
  const isLoading = needed && module.state.value.is === "loading";
  // The effects of the dialog itself have run before: its field has the focus.
  useLayoutEffect(() => {
    if (!needed) return;
    return isLoading ? holdKeys(close) : void replayKeys();
  }, [needed, isLoading]);
  return code;
}
