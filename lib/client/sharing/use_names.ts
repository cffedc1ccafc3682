import { useEffect, useState } from "react";
import { usePage } from "../core/page.ts";
import { useShareApi } from "./share_api.ts";

/** The pause in typing after which names are looked up, in milliseconds. */
const restMs = 200;

/** The fewest characters that the server looks names up by. */
const fewest = 2;

/**
 * The names of users and groups that begin with a text; none where the site offers none. A lookup
 * that fails offers nothing: names can be typed whole.
 */
export function useNames(text: string): readonly string[] {
  const { SuggestNames } = usePage().data.config;
  const api = useShareApi();
  const [names, setNames] = useState<readonly string[]>([]);
  const wanted = text.trim();
  const isAsked = SuggestNames === true && [...wanted.replace(/^@/, "")].length >= fewest;
  useEffect(() => {
    // Until there is an answer, what was found before stays: the list does not flicker.
    if (!isAsked) return setNames([]);
    const stopping = new AbortController();
    const timer = setTimeout(async () => {
      const answer = await api.namesLike(wanted, stopping.signal);
      if (answer.ok && !stopping.signal.aborted) setNames(answer.value);
    }, restMs);
    return () => {
      clearTimeout(timer);
      stopping.abort();
    };
  }, [wanted, isAsked]);
  return names;
}
