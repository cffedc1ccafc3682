import { type RefObject, useEffect, useRef, useState } from "react";
import { parsePath } from "../../../../shared/path.ts";
import type { Resource } from "../../../../shared/schemas/entry.ts";
import { usePage } from "../../../base/core/page.ts";
import { useApi } from "../../../base/core/use_site.ts";
import type { PreviewSource } from "../preview_source.ts";
import { playConverted } from "./converted_sound.ts";
import { isBack } from "./is_back.ts";

/** The interval of a keep-alive call during playback, so that the session does not expire. */
const SIGN_OF_LIFE_MS = 4 * 60_000;

/** A sound by itself. */
interface Player {
  /** How the server helps: it converts the sound, or has no turn for that yet. */
  help: "none" | "converts" | "waits";
  /** Call it when the user plays or pauses it: another source plays on, once it is there. */
  wants: (plays: boolean) => void;
  /** The props of the media element. */
  element: {
    ref: RefObject<HTMLAudioElement>;
    onLoadedMetadata: () => void;
    onTimeUpdate: () => void;
    onError: () => void;
  };
}

/**
 * Plays a sound: the file itself, or as the server converts it where the browser cannot decode that.
 * Resumes it at the same position when the address changes.
 *
 * @param isShown whether its element is in the page
 */
export function usePlayer(entry: Resource, source: PreviewSource, isShown: boolean): Player {
  const api = useApi();
  const { config } = usePage().data;
  const player = useRef<HTMLAudioElement>(null);
  const resumeAt = useRef(0);
  const plays = useRef(false);
  const heard = useRef(Date.now());
  const end = useRef<(() => void) | null>(null);
  const [help, setHelp] = useState<Player["help"]>("none");
  const { path } = parsePath(entry.path);
  const leaving = useRef<AbortSignal>();
  useEffect(() => {
    const left = new AbortController();
    leaving.current = left.signal;
    return () => {
      left.abort();
      end.current?.();
      end.current = null;
      setHelp("none");
    };
  }, [source, isShown]);

  const convert = () => {
    const { current } = player;
    if (!config.EnableStreams || end.current || !current) return false;
    setHelp("converts");
    end.current = playConverted(api, path, current, resumeAt.current, {
      onTurn: (isWaiting) => setHelp(isWaiting ? "waits" : "converts"),
      onFailure: () => source.stop({ is: "unknown_format" }),
    });
    return true;
  };
  return {
    help,
    wants: (wanted) => void (plays.current = wanted),
    element: {
      ref: player,
      onLoadedMetadata() {
        source.loaded();
        const { current } = player;
        if (!current) return;
        if (!end.current && resumeAt.current > 0) current.currentTime = resumeAt.current;
        resumeAt.current = 0;
        if (plays.current && current.paused) void current.play().catch(() => {});
      },
      onTimeUpdate() {
        if (Date.now() - heard.current < SIGN_OF_LIFE_MS) return;
        heard.current = Date.now();
        void api.exists(path);
      },
      onError() {
        const { current } = player;
        if (current) {
          resumeAt.current = current.currentTime;
          plays.current ||= current.autoplay || !current.paused;
        }
        const { current: signal } = leaving;
        const waits = !end.current && signal !== undefined &&
          isBack(api, path, current?.error, signal);
        void Promise.resolve(waits).then((isThere) => {
          if (signal?.aborted) return;
          if (isThere) current?.load();
          else void source.failed(convert);
        });
      },
    },
  };
}
