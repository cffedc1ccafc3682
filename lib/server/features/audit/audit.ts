import type { AuditAction, AuditLevel } from "../../../shared/schemas/choices/audit_choices.ts";
import { delay } from "../../../shared/delay.ts";
import type { Store } from "../../core/kv/store.ts";
import { auditCheckpoints, type Checkpoint, signCheckpoint } from "./checkpoint.ts";
import {
  type Activity,
  type ActivityListener,
  bytesOf,
  hashOf,
  lineOf,
  noHash,
  placeDigest,
  type TimedActivity,
} from "./record.ts";
import { commitChange } from "../../core/kv/commit.ts";
import { placesOf } from "./server_path.ts";
import { auditHead, auditPlaces, auditSegments, type Head } from "./segments.ts";

/**
 * How long activities are gathered before they are written together, in milliseconds: as much is
 * lost of the log when the process is killed.
 */
const gatherMs = 200;

/** Pause before another try when the store refuses, in milliseconds. */
const retryMs = 1_000;

/** Most activities that wait for a store that refuses. */
const maxWaiting = 5_000;

/** Dependencies of the log. */
export interface AuditOptions {
  store: Store;
  /** Signs checkpoints. */
  key: CryptoKey;
  /** The kinds to record, by the present settings; for activities that come without them. */
  level: () => Promise<AuditLevel>;
  /** Called when the store cannot be written. */
  report: (error: unknown) => void;
  /** Listeners to activities, also while none is recorded. */
  listeners?: readonly ActivityListener[];
  /** Called with each checkpoint at the end of a segment. */
  onCheckpoint?: (checkpoint: Checkpoint) => void;
}

/** An activity apart from its action. */
type About = Omit<Activity, "action">;

/** The actions that are recorded at the level `reads` alone. */
const reads: ReadonlySet<AuditAction> = new Set<AuditAction>(["download"]);

/**
 * The activity log, and the one place that all activities pass. They are handed over where they
 * end, and written together with those of the same moment, so that no request waits for the log.
 * While it is off, nothing is done at all.
 */
export class Audit {
  readonly #options: AuditOptions;
  #waiting: TimedActivity[] = [];
  #lost = 0;
  #timer: ReturnType<typeof setTimeout> | null = null;
  #writing: Promise<void> | null = null;
  #isClosed = false;
  #isFailing = false;

  constructor(options: AuditOptions) {
    this.#options = options;
  }

  /** Whether activities of this kind are recorded or listened to. @param level of the settings */
  isListening(level: AuditLevel, action: AuditAction): boolean {
    return level !== "off" || this.#listenersOf(action).length > 0;
  }

  /** Records an activity, if its kind is wanted. @param level of the settings of the request */
  note(activity: Activity, level: AuditLevel): void {
    if (this.#isClosed) return;
    const timed = { ...activity, at: Date.now() };
    for (const listener of this.#listenersOf(activity.action)) listener.handle(timed);
    const isWanted = level === "reads" || (level === "changes" && !reads.has(activity.action));
    if (!isWanted) return;
    this.#waiting.push(timed);
    if (this.#waiting.length > maxWaiting) {
      this.#waiting.shift();
      this.#lost++;
    }
    this.#schedule(gatherMs);
  }

  /** As {@linkcode note}, where the settings were not read yet. Never rejects. */
  async recordUnread(action: AuditAction, find: () => Promise<About>): Promise<void> {
    try {
      const level = await this.#options.level();
      if (this.isListening(level, action)) this.note({ action, ...await find() }, level);
    } catch (error) {
      if (!this.#isClosed) this.#options.report(error);
    }
  }

  /** Writes what was handed over so far. Never rejects: what cannot be written is tried again. */
  async flush(): Promise<void> {
    await this.#writing;
    await this.#write();
  }

  /** Stops. What was handed over and not written is lost: see {@linkcode flush}. */
  close(): void {
    this.#isClosed = true;
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#waiting = [];
  }

  #listenersOf(action: AuditAction): readonly ActivityListener[] {
    return (this.#options.listeners ?? []).filter((listener) => listener.accepts(action));
  }

  #schedule(ms: number): void {
    if (this.#timer !== null || this.#isClosed) return;
    this.#timer = setTimeout(() => {
      this.#timer = null;
      void this.flush();
    }, ms);
  }

  async #write(): Promise<void> {
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#timer = null;
    this.#writing ??= this.#writeAll().finally(() => this.#writing = null);
    await this.#writing;
  }

  async #writeAll(): Promise<void> {
    try {
      this.#recordLost();
      while (this.#waiting.length > 0 && !this.#isClosed) {
        const batch = this.#waiting;
        const { count, checkpoints } = await append(this.#options, batch);
        // More may have come, and the oldest been dropped, meanwhile.
        const done = new Set(batch.slice(0, count));
        this.#waiting = this.#waiting.filter((each) => !done.has(each));
        for (const checkpoint of checkpoints) this.#options.onCheckpoint?.(checkpoint);
      }
      this.#isFailing = false;
    } catch (error) {
      if (this.#isClosed) return;
      // Once, not each second for as long as the disk is full.
      if (!this.#isFailing) this.#options.report(error);
      this.#isFailing = true;
      this.#schedule(retryMs);
    }
  }

  #recordLost(): void {
    if (this.#lost === 0) return;
    const subject = String(this.#lost);
    this.#lost = 0;
    this.#waiting.push({ action: "lost", user: null, address: null, subject, at: Date.now() });
  }
}

/** Waits for the log, or for what follows it, as long as a shutdown may take. */
export async function flushInTime(log: Pick<Audit, "flush"> | null, ms: number): Promise<void> {
  if (log === null) return;
  const late = new AbortController();
  await Promise.race([log.flush(), delay(ms, late.signal).catch(() => {})]);
  late.abort();
}

/**
 * When a segment is full, in bytes. It is written again for each batch, so that a larger one would
 * make the log slower, and a smaller one its checkpoints more than its records.
 */
const fullSegment = 16 * 1024;

/** The most bytes and records in one commit: a commit of the store has 800 KiB and 1,000 writes. */
const maxBytes = 256 * 1024;
const maxRecords = 200;

/** The dependencies of an append. */
interface AppendOptions {
  store: Store;
  /** Signs checkpoints. */
  key: CryptoKey;
}

/** The result: the number of activities written, and the checkpoints at the ends of segments. */
interface Appended {
  count: number;
  checkpoints: Checkpoint[];
}

/**
 * Writes activities at the end of the log, as many as one commit takes. Threads and servers on one
 * store append in turn: who lost the race reads the end again.
 */
export async function append(
  { store, key }: AppendOptions,
  activities: readonly TimedActivity[],
): Promise<Appended> {
  return await commitChange(store, async () => {
    const head = await auditHead.entry(store);
    const open = head.value === null ? null : await auditSegments.entry(store, head.value.segment);
    const plan = planOf(head.value, open?.value?.lines ?? new Uint8Array(), activities);
    const at = Date.now();
    const checkpoints: Checkpoint[] = [];
    for (const end of plan.ends) checkpoints.push(await signCheckpoint(key, { ...end, at }));
    const { seq, hash, segment, bytes } = plan;
    const next: Head = { ...await signCheckpoint(key, { seq, hash, at }), segment, bytes };
    return {
      result: { count: plan.count, checkpoints },
      build(operation) {
        auditHead.write(operation, head, next);
        for (const [first, lines] of plan.segments) {
          auditSegments.put(operation, [first], { lines });
        }
        for (const checkpoint of checkpoints) {
          auditCheckpoints.put(operation, [checkpoint.seq], checkpoint);
        }
        for (const { path, number, action } of plan.places) {
          auditPlaces.put(operation, [placeDigest(path), number], action);
        }
        return operation;
      },
    };
  });
}

interface Plan extends Pick<Head, "seq" | "hash" | "segment" | "bytes"> {
  count: number;
  segments: Map<number, Uint8Array>;
  /** The last records of segments that are full. */
  ends: Pick<Checkpoint, "seq" | "hash">[];
  places: { path: string; number: number; action: AuditAction }[];
}

function planOf(
  head: Head | null,
  present: Uint8Array,
  activities: readonly TimedActivity[],
): Plan {
  let { seq, hash, segment } = head ?? { seq: 0, hash: noHash, segment: 1 };
  let lines = present;
  let written = 0;
  let count = 0;
  const segments = new Map<number, Uint8Array>();
  const [ends, places]: [Plan["ends"], Plan["places"]] = [[], []];
  for (const activity of activities.slice(0, maxRecords)) {
    const line = lineOf(activity, seq + 1, hash);
    const bytes = bytesOf(`${line}\n`);
    if (count > 0 && written + bytes.length > maxBytes) break;
    if (lines.length > 0 && lines.length + bytes.length > fullSegment) {
      ends.push({ seq, hash });
      segment = seq + 1;
      lines = new Uint8Array();
    }
    const joined = new Uint8Array(lines.length + bytes.length);
    joined.set(lines);
    joined.set(bytes, lines.length);
    lines = joined;
    segments.set(segment, lines);
    written += bytes.length;
    seq++;
    hash = hashOf(line);
    count++;
    for (const path of placesOf(activity)) {
      places.push({ path, number: seq, action: activity.action });
    }
  }
  return { seq, hash, segment, bytes: lines.length, count, segments, ends, places };
}
