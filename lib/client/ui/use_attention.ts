import { useEffect } from "react";
import { useShared } from "../core/shared.ts";

/** Where the focus was last seen on the page itself, also when that has gone meanwhile. */
export interface Attention {
  last: Element | null;
}

/** What is known of where the user's attention was. */
export function useAttention(): Attention {
  return useShared<Attention>("attention", () => ({ last: null }));
}

/** Follows the focus about the page; what lies over the page for a while does not count. */
export function useFollowedFocus(): void {
  const attention = useAttention();
  useEffect(() => {
    const follow = (event: FocusEvent) => {
      const element = event.target as Element;
      if (!element.closest("dialog, [popover]")) attention.last = element;
    };
    document.addEventListener("focusin", follow);
    return () => document.removeEventListener("focusin", follow);
  }, [attention]);
}
