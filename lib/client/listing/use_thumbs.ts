import { path } from "../api/api_path.ts";
import { useShared } from "../core/shared.ts";
import { sideFor, Thumbs } from "./thumbs.ts";
import { useApi } from "../core/use_site.ts";

/** The small pictures of the gallery. */
export function useThumbs(): Thumbs {
  const api = useApi();
  return useShared(
    "thumbs",
    () =>
      new Thumbs({
        read: (at, side, key, signal) => api.thumb(at, side, key, signal),
        itself: (at, k) => api.address(path`/api/raw${at}`, { inline: true, k }),
        side: () => sideFor(tileWidth() * devicePixelRatio),
        urls: URL,
      }),
  );
}

/** All tiles are alike, in pixels of CSS; a picture is as wide as its tile. */
function tileWidth(): number {
  return document.querySelector<HTMLElement>("[data-index]")?.offsetWidth ?? 0;
}
