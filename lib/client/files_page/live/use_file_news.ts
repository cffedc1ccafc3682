import { useEffect, useRef } from "react";
import type { EntryPath } from "../../../shared/path.ts";
import type { Failure } from "../../../shared/result.ts";
import { delay } from "../../../shared/delay.ts";
import { useApi } from "../../base/core/use_site.ts";
import { useFiles } from "../../base/files/use_files.ts";

/** The time in which this page leaves a file that it has removed or renamed, in milliseconds. */
const LEAVING_MS = 1000;

/**
 * Follows the open file on the server.
 *
 * @param path of the file
 * @param onNews called when something has changed in its folder and the file is there
 * @param onGone called when the file is not there any more
 */
export function useFileNews(
  path: EntryPath,
  onNews: (version: string | undefined) => Promise<void>,
  onGone: (why: Failure) => void,
): void {
  const api = useApi();
  const { listing } = useFiles();
  const news = listing.news.value;
  const seen = useRef(news);
  useEffect(() => {
    if (seen.current === news) return;
    seen.current = news;
    const leaving = new AbortController();
    const look = async () => {
      let answer = await api.version(path);
      if (!answer.ok && answer.status === 404) {
        await delay(LEAVING_MS, leaving.signal);
        if (!leaving.signal.aborted) answer = await api.version(path);
      }
      if (leaving.signal.aborted) return;
      if (answer.ok) await onNews(answer.value);
      else if (answer.status === 404) onGone(answer);
    };
    void look();
    return () => leaving.abort();
  }, [news, path]);
}
