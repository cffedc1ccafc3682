import { nameOf, parentOf, parsePath } from "../../../shared/path.ts";
import type { Entry } from "../../../shared/api_types.ts";
import { displayName } from "../../../shared/entry_names.ts";
import type { Music } from "./music.ts";

/** The title of a track: its name without the extension. */
export function titleOf({ name, extension }: Pick<Entry, "name" | "extension">): string {
  const title = extension === undefined ? name : name.slice(0, name.length - extension.length);
  return displayName(title || name);
}

/** The name of the folder of a track; "" for the root. */
export function folderOf({ path }: Pick<Entry, "path">): string {
  return displayName(nameOf(parentOf(parsePath(path).path)));
}

/** How far "back" and "forward" of the system go, in seconds. */
const SKIP_S = 10;

/**
 * Connects the keys of the keyboard, the headset and the lock screen.
 *
 * @returns disconnects them
 */
export function connectKeys(music: Music, session: MediaSession | undefined): () => void {
  if (!session) return () => {};
  const skip = (by: number) => music.seek(music.time.peek().at + by);
  const handlers: [MediaSessionAction, MediaSessionActionHandler][] = [
    ["play", () => music.play()],
    ["pause", () => music.pause()],
    ["stop", () => music.pause()],
    ["nexttrack", () => music.next()],
    ["previoustrack", () => music.previous()],
    ["seekbackward", ({ seekOffset }) => skip(-(seekOffset ?? SKIP_S))],
    ["seekforward", ({ seekOffset }) => skip(seekOffset ?? SKIP_S)],
    ["seekto", ({ seekTime }) => music.seek(seekTime ?? 0)],
  ];
  for (const [action, handler] of handlers) setHandler(session, action, handler);
  return () => {
    for (const [action] of handlers) setHandler(session, action, null);
    session.metadata = null;
    session.playbackState = "none";
  };
}

/** Tells the system what plays. @param cover the address of its cover; "" for none */
export function setMetadata(session: MediaSession | undefined, entry: Entry, cover: string): void {
  if (!session) return;
  session.metadata = new MediaMetadata({
    title: titleOf(entry),
    album: folderOf(entry),
    artwork: cover === "" ? [] : [{ src: cover }],
  });
}

/** Tells the system how far it is. */
export function setPosition(session: MediaSession | undefined, music: Music): void {
  if (!session) return;
  const { at, of } = music.time.value;
  session.playbackState = music.isPlaying.value ? "playing" : "paused";
  if (of > 0) session.setPositionState?.({ duration: of, position: Math.min(at, of) });
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
