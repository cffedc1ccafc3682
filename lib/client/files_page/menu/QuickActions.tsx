import { type RefObject, useEffect, useState } from "react";
import { lazy } from "../../base/core/lazy.ts";
import { useLazy } from "../../base/core/use_site.ts";

const listingParts = lazy(() => import("../listing/listing_parts.ts"));

interface QuickActionsProps {
  /** The element that scrolls the rows. */
  scroller: RefObject<HTMLElement>;
}

/** The quick actions of rows; their code is loaded when a mouse or the Tab key comes. */
export function QuickActions({ scroller }: QuickActionsProps) {
  const [wanted, setWanted] = useState(false);
  const code = useLazy(listingParts, wanted);
  useEffect(() => {
    const waiting = new AbortController();
    const listen = (type: "pointermove" | "focusin", isFor: (event: Event) => boolean) =>
      scroller.current?.addEventListener(type, (event) => {
        if (!isFor(event)) return;
        waiting.abort();
        setWanted(true);
      }, { signal: waiting.signal });
    listen("pointermove", (event) => (event as PointerEvent).pointerType === "mouse");
    listen("focusin", ({ target }) => (target as Element).matches(":focus-visible"));
    return () => waiting.abort();
  }, []);
  return code && wanted ? <code.RowActions scroller={scroller} /> : null;
}
