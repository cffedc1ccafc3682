/** What plays, as the system shows it, with the keys of keyboards, headsets and lock screens. */
import { useEffect, useState } from "react";

/** What plays, for the eye. */
export interface SystemShown {
  title: string;
  artist?: string;
  album: string;
  /** The address of a picture; "" for none. */
  cover: string;
}

/** How far it is, in seconds; a duration of 0 is not known. */
export interface SystemPlace {
  isPlaying: boolean;
  at: number;
  of: number;
  rate?: number;
}

/** What the keys do; a key that is missing does nothing. */
export type SystemKeys = Partial<Record<MediaSessionAction, MediaSessionActionHandler>>;

const ACTIONS = [
  ...["play", "pause", "stop", "nexttrack", "previoustrack"] as const,
  ...["seekbackward", "seekforward", "seekto"] as const,
];

/** How far "back" and "forward" of the system go, in seconds. */
const SKIP_S = 10;

/** The keys of what can be played, paused and sought. */
export function systemKeys(player: {
  play: () => void;
  pause: () => void;
  seek: (seconds: number) => void;
  position: () => number;
}): SystemKeys {
  const skip = (by: number) => player.seek(player.position() + by);
  return {
    play: player.play,
    pause: player.pause,
    stop: player.pause,
    seekbackward: ({ seekOffset }) => skip(-(seekOffset ?? SKIP_S)),
    seekforward: ({ seekOffset }) => skip(seekOffset ?? SKIP_S),
    seekto: ({ seekTime }) => player.seek(seekTime ?? 0),
  };
}

/** The players of the page; the system shows the last one, which has played last. */
const players: SystemPlayer[] = [];

/** A player of the page, for the system. */
class SystemPlayer {
  readonly #session = navigator.mediaSession as MediaSession | undefined;
  #shown: SystemShown | null = null;
  #place: SystemPlace = { isPlaying: false, at: 0, of: 0 };
  keys: SystemKeys = {};

  get #isFirst(): boolean {
    return players.at(-1) === this;
  }

  /** Has something to play. */
  show(shown: SystemShown): void {
    this.#shown = shown;
    if (!players.includes(this)) players.unshift(this);
    this.apply();
  }

  /** Plays: the system shows it now. */
  take(): void {
    const at = players.indexOf(this);
    if (at === -1) return;
    players.push(...players.splice(at, 1));
    this.apply();
  }

  /** Is at a place. */
  tell(place: SystemPlace): void {
    this.#place = place;
    if (this.#isFirst) this.#applyPlace();
  }

  /** Has nothing to play any more: the system shows the one before. */
  leave(): void {
    const at = players.indexOf(this);
    if (at === -1) return;
    const wasFirst = this.#isFirst;
    players.splice(at, 1);
    if (!wasFirst) return;
    const former = players.at(-1);
    if (former) return former.apply();
    const session = this.#session;
    if (!session) return;
    for (const action of ACTIONS) setHandler(session, action, null);
    session.metadata = null;
    session.playbackState = "none";
  }

  /** Tells the system all, if it shows this one. */
  apply(): void {
    const session = this.#session;
    const shown = this.#shown;
    if (!session || !shown || !this.#isFirst) return;
    const { title, artist, album, cover } = shown;
    session.metadata = new MediaMetadata({
      ...{ title, artist, album },
      artwork: cover === "" ? [] : [{ src: cover }],
    });
    for (const action of ACTIONS) {
      const handler: MediaSessionActionHandler = (details) => this.keys[action]?.(details);
      setHandler(session, action, this.keys[action] ? handler : null);
    }
    this.#applyPlace();
  }

  #applyPlace(): void {
    const { isPlaying, at, of, rate } = this.#place;
    const session = this.#session;
    if (!session) return;
    session.playbackState = isPlaying ? "playing" : "paused";
    if (of <= 0) return;
    const place = { duration: of, position: Math.max(0, Math.min(at, of)), playbackRate: rate };
    session.setPositionState?.(place);
  }
}

/** Shows the system what plays, and follows its keys; null for nothing. */
export function useSystemPlayer(
  shown: SystemShown | null,
  place: SystemPlace,
  keys: SystemKeys,
): void {
  const [player] = useState(() => new SystemPlayer());
  player.keys = keys;
  const { isPlaying, at, of, rate } = place;
  const told = shown && [shown.title, shown.artist, shown.album, shown.cover].join("\n");
  useEffect(() => {
    if (shown) player.show(shown);
    else player.leave();
  }, [told, Object.keys(keys).join()]);
  useEffect(() => {
    if (isPlaying) player.take();
  }, [told === null, isPlaying]);
  useEffect(() => player.tell(place), [Math.round(at), of, isPlaying, rate]);
  useEffect(() => () => player.leave(), [player]);
}

/** Browsers refuse the actions that they do not know. */
function setHandler(
  session: MediaSession,
  action: MediaSessionAction,
  handler: MediaSessionActionHandler | null,
): void {
  try {
    session.setActionHandler(action, handler);
  } catch {
    // The system has one key less.
  }
}
