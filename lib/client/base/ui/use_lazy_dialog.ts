import { useEffect, useLayoutEffect } from "react";
import type { Lazy } from "../core/lazy.ts";
import { useLazy } from "../core/use_site.ts";
import { holdKeys } from "./dialog_press.ts";

/**
 * The exports of a lazy module that shows a modal dialog, or null until they are loaded. While they
 * load, keys do not reach the page below.
 *
 * @param needed whether to load it now
 * @param close closes the dialog that is not shown yet: by Esc, and when it cannot be loaded, so
 * that it can be opened again; absent when it stays
 */
export function useLazyDialog<T>(module: Lazy<T>, needed: boolean, close?: () => void): T | null {
  const code = useLazy(module, needed);
  const isLoading = needed && module.state.value.is === "loading";
  useLayoutEffect(() => isLoading ? holdKeys(close) : undefined, [isLoading]);
  // After the effect that loads it: what failed before is loading again.
  useEffect(() => {
    if (needed && module.state.peek().is === "failed") close?.();
  });
  return code;
}
