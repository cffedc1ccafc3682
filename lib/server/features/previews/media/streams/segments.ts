/** What the server and the host of programs say to each other about segments of streams. */

/** A segment of a playlist by its place; {@linkcode header} for what comes before all of them. */
export type SegmentIndex = number;

/** The place of what every player reads before the first segment. */
export const header: SegmentIndex = -1;

/** What times in streams begin with, in seconds: sound may begin before its pictures. */
export const streamOffset = 10;

/** A segment that the server asks for. */
export interface SegmentRequest {
  /** The key of the stream: one film in one choice, the same in all threads. */
  stream: string;
  /** The key of the user, whose turn a conversion takes. */
  owner: string;
  index: SegmentIndex;
  /** The segment that a conversion begins with, where none is under way that makes this one. */
  from: SegmentIndex;
  /** Where each segment begins, in seconds. */
  starts: readonly number[];
  /** Past the beginning of a segment, so that a search of what comes before finds it, in seconds. */
  lead: number;
  /** How long somebody waits for a turn, and then for the segment, in milliseconds. */
  patienceMs: number;
}

/**
 * Why a segment was not made: the film ends before it; it takes too long; no turn came; the user
 * waits for too much already; ffmpeg cannot read the film; the film is another one; nobody is left
 * who wants it, or the program could not be run.
 */
export type StopReason =
  | ("ended" | "slow" | "busy" | "full" | "failed" | "changed" | "unneeded")
  | "unrunnable";

/** The end of a segment's output: it is whole, or there is none. */
export interface SegmentEnd {
  why?: StopReason;
  /** The reason why a program could not be run, for the log. */
  failure?: string;
  /** A sentence for the log, about the conversion. */
  log?: string;
}

/** The failure of a run whose file is not the one that was asked for. */
export const otherFile = "the file has changed";

/** Ends a conversion, or the wait for a segment. */
export class Stopped extends Error {
  constructor(readonly why: StopReason, readonly failure?: string) {
    super(why);
  }
}

/** The server's question how many turns come before one of a user's streams. */
export interface PlaceRequest {
  stream: string;
  owner: string;
}

/** The most segments of a stream: of a day, in the shortest ones. */
const maxSegments = 50_000;

/** @throws TypeError for what no server of ours sends */
export function checkSegmentRequest(request: SegmentRequest): void {
  const { stream, owner, index, from, starts, lead, patienceMs } = request;
  const isPlace = (place: number, least: number) =>
    Number.isSafeInteger(place) && place >= least && place < starts.length;
  const isTime = (time: unknown) => typeof time === "number" && time >= 0 && time <= 1e6;
  const isValid = typeof stream === "string" && /^[0-9a-f]{64}$/.test(stream) &&
    typeof owner === "string" && owner.length < 1_000 && Array.isArray(starts) &&
    starts.length > 0 && starts.length <= maxSegments && starts.every(isTime) &&
    isPlace(index, header) && isPlace(from, 0) && isTime(lead) && isTime(patienceMs);
  if (!isValid) throw new TypeError("there is no such segment");
}
