import { useEffect, useState } from "react";
import { parsePath } from "../../../../shared/path.ts";
import { mediaTypes } from "../../../../shared/schemas/choices/choices.ts";
import type { Entry } from "../../../../shared/schemas/entry.ts";
import type { MediaInfo } from "../../../../shared/schemas/media.ts";
import { useApi } from "../../../base/core/use_site.ts";
import { MediaCalls } from "./thumbs.ts";

/** What a file tells of itself; null until it is there, and for files that tell nothing. */
export function useMediaInfo({ path, type, modified, size }: Entry): MediaInfo | null {
  const { calls } = useApi();
  const [info, setInfo] = useState<MediaInfo | null>(null);
  useEffect(() => {
    setInfo(null);
    if (!mediaTypes.has(type)) return;
    const leaving = new AbortController();
    const asking = new MediaCalls(calls).mediaInfo(parsePath(path).path, leaving.signal);
    void asking.then((answer) => {
      if (answer.ok && !leaving.signal.aborted) setInfo(answer.value);
    });
    return () => leaving.abort();
  }, [path, type, modified, size]);
  return info;
}
