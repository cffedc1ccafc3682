import { useShared } from "./shared.ts";
import { Thumbs } from "./thumbs.ts";
import { useApi } from "./use_site.ts";

/** The small pictures of the gallery. */
export function useThumbs(): Thumbs {
  const api = useApi();
  return useShared(
    "thumbs",
    () => new Thumbs({ read: (at, key, signal) => api.thumb(at, key, signal), urls: URL }),
  );
}
