/** What is answered where a film cannot be streamed. */
import { DomainError } from "../../../shared/errors.ts";
import { LruCache } from "../../../shared/lru_cache.ts";
import type { EntryPath } from "../../../shared/path.ts";
import type { FileHandle } from "../../core/access/file_handle.ts";
import type { StopReason } from "../previews/media/streams/segments.ts";

/** Most refusals that are remembered. */
const maxKnown = 200;
/** Lifetime of a refusal, in milliseconds. */
const refusedMs = 10 * 60_000;

/** Remembers for a while what cannot be converted, so that it is not tried again and again. */
export class Refusals {
  readonly #known = new LruCache<string, { reason: string; until: number }>(maxKnown);

  /** @throws DomainError `not_supported` for what could not be converted a while ago */
  check(path: EntryPath, key: string): void {
    const known = this.#known.get(key);
    if (known && Date.now() < known.until) throw refusal(path, known.reason);
  }

  /** Remembers a refusal, and returns it. */
  add(path: EntryPath, key: string, reason: string): DomainError {
    this.#known.set(key, { reason, until: Date.now() + refusedMs });
    return refusal(path, reason);
  }
}

/** Why a program gave up. */
export const reasons: Record<Extract<StopReason, "slow" | "failed">, string> = {
  slow: "it needs too much time or memory",
  failed: "it is damaged, or FFmpeg cannot decode it",
};

/** The error for a file that cannot be converted. */
export function refusal(path: EntryPath, reason: string): DomainError {
  return new DomainError("not_supported", `Cannot convert "${path}": ${reason}`);
}

/** The error for a track that a file does not have. */
export function noTrack(kind: "audio" | "subtitle", track: number): DomainError {
  return new DomainError(
    "invalid_option",
    `Cannot use ${track} as ${kind}: there is no such track`,
  );
}

/** The error for a segment after the last one. */
export function pastEnd(path: EntryPath): DomainError {
  return new DomainError("not_found", `Cannot convert "${path}": it ends before this segment`);
}

/**
 * The error for a file that is no longer as it was: `busy` while it is written, and why it cannot be
 * opened once it is gone, so that clients do not ask again.
 *
 * @param action the failed action
 */
export function changed(
  { handle, path }: { handle: FileHandle; path: EntryPath },
  action = `Cannot convert "${path}"`,
): unknown {
  try {
    handle.openSync()[Symbol.dispose]();
  } catch (error) {
    return error;
  }
  return new DomainError("busy", `${action}: it is changing`, 2);
}

/** The error where no turn came. */
export function busyError(path: EntryPath): DomainError {
  return new DomainError(
    "busy",
    `Cannot convert "${path}": too many videos are being converted`,
    5,
  );
}

/** The error where a user waits for too much. */
export function queueFullError(): DomainError {
  return new DomainError("throttled", "Cannot convert the video: too many wait already", 5);
}

/** The error where a program cannot be run. */
export function unrunnable(path: EntryPath): DomainError {
  return new DomainError("internal", `Cannot convert "${path}": FFmpeg cannot be run`);
}
