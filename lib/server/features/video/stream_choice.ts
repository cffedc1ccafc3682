/** A film, how it is to be streamed, and the recipe for that. */
import { createHash } from "node:crypto";
import type { EntryPath } from "../../../shared/path.ts";
import type { StreamPictures } from "../../../shared/schemas/stream.ts";
import type { FileHandle } from "../../core/access/file_handle.ts";
import type { Facts } from "../../core/disk/facts.ts";
import {
  type RecipeName,
  type RecipeNumbers,
  soundUse,
} from "../previews/media/programs/recipes.ts";
import { noTrack, refusal } from "./refusals.ts";
import type { StreamFacts } from "./stream_facts.ts";

/** How a film is to be streamed. */
export interface StreamChoice {
  video: StreamPictures;
  /** The place of the audio track. */
  audio: number;
}

/** A film as its viewer may read it, with what is in it. */
export interface Film extends StreamFacts {
  path: EntryPath;
  handle: FileHandle;
  /** Its state, and the key of that. */
  state: Facts;
  key: string;
}

/**
 * The recipe for a stream of a film. Sound that all browsers decode is copied along, if it lasts as
 * long as the film.
 */
export function recipeFor({ info, soundEnds }: Film, { video, audio }: StreamChoice): RecipeName {
  if (video === "none") return "streamSound";
  if (video !== "copy") return `stream${video}`;
  const isHevc = info.video?.codec === "hevc";
  const isAac = info.audio[audio]?.codecs === "mp4a.40.2" && soundEnds[audio] === Infinity;
  return `streamCopy${isHevc ? "Hevc" : ""}${isAac ? "All" : ""}`;
}

/** How much of a sound is left to be worth its track, in seconds. */
const leastSound = 0.5;

/** What a stream that begins at a time has for sound. */
export function soundFor(
  { info: { duration }, soundEnds, areEndsSure }: Film,
  { video, audio }: StreamChoice,
  at: number,
): Pick<RecipeNumbers, "sound" | "soundSeconds"> {
  const end = video === "none" ? Infinity : soundEnds[audio] ?? Infinity;
  if (end === Infinity) return { sound: soundUse.asIs };
  if (!areEndsSure) return { sound: soundUse.filled, soundSeconds: Math.max(0, duration - at) };
  if (at + leastSound >= end) return { sound: soundUse.silent };
  return { sound: soundUse.padded, soundSeconds: end - at };
}

/** Checks that a film can be streamed so. @throws DomainError `invalid_option`, `not_supported` */
export function checkChoice({ info, path }: Film, { video, audio }: StreamChoice): void {
  const hasSound = info.audio[audio] !== undefined;
  if (!hasSound && (audio > 0 || video === "none")) throw noTrack("audio", audio);
  if (video === "none") return;
  if (!info.video) throw refusal(path, "it has no pictures");
  if (video === "copy" && !info.video.copies) throw refusal(path, "its pictures cannot be copied");
}

/** The key of a stream: of one film in one choice. */
export function streamKey({ key }: Film, { video, audio }: StreamChoice): string {
  return digestOf(key, video, audio);
}

/** A key of the cache, in hexadecimal. */
export function digestOf(...parts: (string | number | null)[]): string {
  return createHash("sha256").update(JSON.stringify(parts)).digest("hex");
}
