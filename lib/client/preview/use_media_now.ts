import { useEffect, useState } from "react";

/** Whether a media query matches, from the first rendering in a browser on: for late code. */
export function useMediaNow(query: string): boolean {
  const [holds, setHolds] = useState(() => globalThis.matchMedia?.(query).matches ?? false);
  useEffect(() => {
    const media = matchMedia(query);
    const follow = () => setHolds(media.matches);
    media.addEventListener("change", follow);
    return () => media.removeEventListener("change", follow);
  }, [query]);
  return holds;
}
