import { type Signal, signal } from "@preact/signals";
import { useShared } from "../core/shared.ts";

/** Where the menu of actions was asked for. */
export interface MenuRequest {
  /** `selection`: what can be done with it; `folder`: with the folder on screen. */
  of: "selection" | "folder";
  /** The point in the window at which it opens, in CSS pixels. */
  x: number;
  y: number;
  /** What it is of was selected for it alone, and not to go on with: by the button of a row. */
  fleeting?: boolean;
}

/** The menu of actions: set to open it, null while it is closed. */
export function useActionMenu(): Signal<MenuRequest | null> {
  return useShared("action-menu", () => signal<MenuRequest | null>(null));
}

/** Under an element, flush with its end in the direction of writing. */
export function below(element: Element): Pick<MenuRequest, "x" | "y"> {
  const { left, right, bottom } = element.getBoundingClientRect();
  return { x: getComputedStyle(element).direction === "rtl" ? left : right, y: bottom + 6 };
}
