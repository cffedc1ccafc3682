import { useEffect } from "react";

/**
 * Restores the scroll position on the way back to a page: browsers do so for the document alone,
 * and the content scrolls in a part of it.
 */
export function useScrollKeeper(): void {
  useEffect(() => {
    const content = document.querySelector("#content > .settings");
    if (content === null) return;
    const { scrolled } = history.state ?? {};
    if (typeof scrolled === "number") content.scrollTop = scrolled;
    const keep = () => history.replaceState({ ...history.state, scrolled: content.scrollTop }, "");
    addEventListener("pagehide", keep);
    return () => removeEventListener("pagehide", keep);
  }, []);
}
