/** Plays streams of segments (HLS) where the browser leaves that to the page. Loaded late. */
// @ts-types="hls.js"
import Hls, {
  type HlsConfig,
  type Loader,
  type LoaderCallbacks,
  type LoaderConfiguration,
  type LoaderContext,
  LoadStats,
} from "hls.js/light";
import type { EntryPath } from "../../../../shared/path.ts";
import type { Failure } from "../../../../shared/result.ts";
import type { StreamPictures } from "../../../../shared/schemas/stream.ts";
import type { Api } from "../../../base/api/api.ts";

/** How much is loaded ahead of what is seen, in seconds: no more than the server makes ahead. */
const AHEAD_S = 20;
/** How much of what was seen stays in memory, in seconds. */
const BEHIND_S = 60;

/** What is played, and whom it concerns. */
export interface HlsOptions {
  api: Api;
  path: EntryPath;
  video: StreamPictures;
  /** The place of the audio track. */
  audio: number;
  /** Where it begins, in seconds. */
  at: number;
  /** Called when a request waits for a turn at the server, and when it does not any more. */
  onTurn(isWaiting: boolean): void;
  /** Called once when it cannot go on; null where the browser has failed. */
  onFailure(why: Failure | null): void;
}

/**
 * Plays a stream in an element until its end is called for.
 *
 * @returns ends it, with what is being loaded
 */
export function playHls(element: HTMLMediaElement, options: HlsOptions): () => void {
  const { api, path, video, audio, at } = options;
  let hasFailed = false;
  const fail = (why: Failure | null) => {
    if (hasFailed) return;
    hasFailed = true;
    options.onFailure(why);
  };
  // The loader waits by itself, for a turn, for the network and for the user to sign in.
  const patient = {
    default: {
      ...{ maxTimeToFirstByteMs: Infinity, maxLoadTimeMs: Infinity },
      ...{ timeoutRetry: null, errorRetry: null },
    },
  };
  const waiting = new Set<object>();
  /** A file that was cut off tells a longer duration than it has: it ends with its last segment. */
  const refused = async (why: Failure) => {
    if (why.code === "not_found" && element.buffered.length > 0) {
      const there = await api.exists(path);
      if (hasFailed) return;
      if (there.ok && there.value) return void hls.trigger(Hls.Events.BUFFER_EOS, { type: null });
    }
    fail(why);
  };
  const config: Partial<HlsConfig> = {
    enableWorker: false,
    startPosition: at,
    maxBufferLength: AHEAD_S,
    maxMaxBufferLength: AHEAD_S,
    backBufferLength: BEHIND_S,
    manifestLoadPolicy: patient,
    playlistLoadPolicy: patient,
    fragLoadPolicy: patient,
    loader: class extends CallLoader {
      constructor() {
        super(api, path, {
          fail: (why) => void refused(why),
          turn(loader, isWaiting) {
            const before = waiting.size > 0;
            if (isWaiting) waiting.add(loader);
            else waiting.delete(loader);
            if (before !== waiting.size > 0) options.onTurn(waiting.size > 0);
          },
        });
      }
    } as unknown as HlsConfig["loader"],
  };
  const hls = new Hls(config);
  let hasRecovered = false;
  let isWhole = false;
  hls.on(Hls.Events.FRAG_BUFFERED, (_event, { frag }) => {
    isWhole = frag.sn === hls.latestLevelDetails?.endSN;
  });
  hls.on(Hls.Events.ERROR, (_event, { fatal, type, details }) => {
    // The sound has ended before the pictures: without an end, the browser waits for more of it.
    if (isWhole && details === Hls.ErrorDetails.BUFFER_STALLED_ERROR) {
      hls.trigger(Hls.Events.BUFFER_EOS, { type: null });
    }
    if (!fatal) return;
    if (type !== Hls.ErrorTypes.MEDIA_ERROR || hasRecovered) return fail(null);
    hasRecovered = true;
    hls.recoverMediaError();
  });
  hls.loadSource(streamAddress(api, path, { video, audio, at }));
  hls.attachMedia(element);
  return () => {
    hasFailed = true;
    hls.destroy();
  };
}

/** The address of a playlist. */
export function streamAddress(
  api: Pick<Api, "addressOf">,
  path: EntryPath,
  { video, audio, at }: Pick<HlsOptions, "video" | "audio" | "at">,
): string {
  const address = api.addressOf("GET /api/stream/{part}/{path}", {
    params: { part: "hls", path },
    query: { video, audio, at: Math.floor(at) },
  });
  return new URL(address, location.href).href;
}

interface LoaderEvents {
  fail(why: Failure): void;
  turn(loader: object, isWaiting: boolean): void;
}

/** Loads by the page's calls, with their session, and waits where the server asks for it. */
class CallLoader implements Loader<LoaderContext> {
  readonly #api: Api;
  readonly #path: EntryPath;
  readonly #events: LoaderEvents;
  readonly #leaving = new AbortController();
  stats = new LoadStats();
  context: LoaderContext | null = null;

  constructor(api: Api, path: EntryPath, events: LoaderEvents) {
    this.#api = api;
    this.#path = path;
    this.#events = events;
  }

  load(
    context: LoaderContext,
    _config: LoaderConfiguration,
    callbacks: LoaderCallbacks<LoaderContext>,
  ): void {
    this.context = context;
    void this.#load(context, callbacks);
  }

  abort(): void {
    this.stats.aborted = true;
    this.#leaving.abort();
    this.#events.turn(this, false);
  }

  destroy(): void {
    this.abort();
    this.context = null;
  }

  async #load(context: LoaderContext, callbacks: LoaderCallbacks<LoaderContext>): Promise<void> {
    const { stats } = this;
    const { signal } = this.#leaving;
    stats.loading.start = performance.now();
    const answer = await this.#ask(context.url);
    if (signal.aborted || answer === null) return;
    stats.loading.first = performance.now();
    const isText = context.responseType === "text";
    const data = await (isText ? answer.text() : answer.arrayBuffer()).catch(() => null);
    if (signal.aborted) return;
    if (data === null) {
      return callbacks.onError({ code: 0, text: "offline" }, context, null, stats);
    }
    stats.loading.end = performance.now();
    stats.loaded = stats.total = typeof data === "string" ? data.length : data.byteLength;
    callbacks.onSuccess({ url: context.url, data, code: 200 }, stats, context, null);
  }

  /** Asks until there is an answer; null after a failure for good. */
  async #ask(address: string): Promise<Response | null> {
    const { signal } = this.#leaving;
    const { token: _, ...query } = Object.fromEntries(new URL(address).searchParams);
    while (!signal.aborted) {
      const answer = await this.#api.calls.call("GET /api/stream/{part}/{path}", {
        params: { part: "hls", path: this.#path },
        query: query as Record<string, never>,
        signal,
        accept: "*/*",
      });
      if (answer.ok) {
        this.#events.turn(this, false);
        return answer.value;
      }
      if (signal.aborted) break;
      const isBusy = answer.code === "busy" || answer.code === "throttled";
      if (isBusy) this.#events.turn(this, true);
      if (!await this.#api.recover(answer, signal)) {
        if (!signal.aborted) this.#events.fail(answer);
        return null;
      }
    }
    return null;
  }
}
