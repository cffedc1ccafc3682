import type { AuditAction, AuditLevel } from "../../shared/schemas/choices/audit_choices.ts";
import { delay } from "../../shared/delay.ts";
import type { Store } from "../kv/store.ts";
import { append } from "./append.ts";
import type { Checkpoint } from "./checkpoint.ts";
import type { Activity, ActivityListener, TimedActivity } from "./record.ts";

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
