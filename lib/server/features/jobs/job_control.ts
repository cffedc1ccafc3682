import { DomainError } from "../../../shared/errors.ts";
import { type EntryPath, parentOf } from "../../../shared/path.ts";
import type { Access } from "../../core/access/access.ts";
import { viewerOf } from "../../core/access/viewer.ts";
import type { Seen } from "../accounts/auth/session.ts";
import { Counter } from "../../core/metrics/metrics.ts";
import { notifyOfEnd } from "./awaited.ts";
import { EntryCursor } from "./entry_parts.ts";
import type { CurrentEntry, Job } from "./job.ts";
import type { JobContext, JobServices } from "./job_context.ts";
import type { JobRecords } from "./job_records.ts";
import { Lease } from "./lease.ts";

/** Interval at which a job's record is renewed and read for requests to stop, in milliseconds. */
const beatMs = 500;

const over = {
  done: new Counter("cubby_jobs_ended_total", { state: "done" }),
  cancelled: new Counter("cubby_jobs_ended_total", { state: "cancelled" }),
  undone: new Counter("cubby_jobs_ended_total", { state: "undone" }),
};

/**
 * The life of one job in this thread: its record is renewed while the work goes on, until the job
 * is paused or ended, or another thread takes it over.
 */
export class JobControl {
  readonly job: Job;
  /** How far the present entry is; stored with the next beat. */
  progress: Job["progress"];
  readonly #services: JobServices;
  readonly #records: JobRecords;
  readonly #isClosed: () => boolean;
  readonly #controller = new AbortController();
  readonly #lease = new Lease();

  /** @param isClosed whether the thread has ended: then nothing more is noted */
  constructor(services: JobServices, records: JobRecords, job: Job, isClosed: () => boolean) {
    this.job = job;
    this.progress = job.progress;
    this.#services = services;
    this.#records = records;
    this.#isClosed = isClosed;
  }

  /** Aborted when the work is to stop at its next step. */
  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  get isClosed(): boolean {
    return this.#isClosed();
  }

  /** Stops the work at its next step. */
  abort(): void {
    this.#controller.abort();
  }

  /** Renews the record as long as the work lasts. */
  async whileAtWork(work: () => Promise<void>): Promise<void> {
    let beating: Promise<void> | null = null;
    const timer = setInterval(() => {
      beating ??= this.#beat().finally(() => beating = null);
    }, beatMs);
    try {
      await work();
    } finally {
      clearInterval(timer);
      await beating;
    }
  }

  /** Notes the present entry; stops the work when another has taken the job over. */
  async save(job: Job, current: CurrentEntry): Promise<void> {
    const now = await this.#records.update(job.userId, job.id, (now) => {
      return now.runner === job.runner ? { current, beat: Date.now() } : null;
    });
    if (now) return;
    this.abort();
    throw new Error("another server took it over");
  }

  /** Pauses or cancels the job as its user has asked; without that, others take it over. */
  async stop(): Promise<void> {
    if (this.#isClosed()) return;
    const job = await this.#records.get(this.job.userId, this.job.id);
    if (job.runner !== this.job.runner) return;
    if (job.wish === "cancel") await this.end(job, "cancel");
    else if (job.wish === "pause") await this.pause();
  }

  /** Pauses the job, unless its user has asked to cancel it. */
  async pause(): Promise<void> {
    if (!await this.#records.transition(this.job, "pause")) await this.stop();
  }

  /** Leaves the job to a thread that waits for certain disks. @param points their mount points */
  async leaveTo(points: readonly string[]): Promise<void> {
    const left = await this.#records.transition(this.job, "release", (next) => {
      return { ...next, slow: [...new Set([...next.slow ?? [], ...points])], disks: [] };
    });
    if (!left) await this.stop();
    else this.#services.slowDisks?.open(left.slow ?? []);
  }

  /**
   * Ends the job: nothing is left of unfinished copies.
   *
   * @returns false when another has changed it meanwhile
   */
  async end(job: Job, event: "cancel" | "finish" | "abandon"): Promise<boolean> {
    if (event !== "finish") await this.#leaveEntry(job);
    const ended = await this.#records.transition(job, event);
    if (!ended) return false;
    over[ended.state as keyof typeof over].add();
    await notifyOfEnd(this.#services, ended).catch((error) => {
      this.#services.log.line(`Cannot notify of the end of the job "${job.id}": ${error}`, "error");
    });
    await this.#records.dropEntries(ended);
    return true;
  }

  /**
   * The context of the job, by the present rights of its user.
   *
   * @throws {DomainError} `not_found` when the user is gone; `not_signed_in` when the API token is
   */
  async enter(): Promise<JobContext> {
    const { gate } = this.#services;
    const { user, settings } = await this.#seen();
    const access = gate.enter(viewerOf(user, settings.rules));
    return { services: this.#services, job: this.job, user, settings, access, signal: this.signal };
  }

  /** Removes what a copy to `to` has left before its commit. */
  async removeStaging(access: Access, to: EntryPath): Promise<void> {
    const folders = [parentOf(to), to];
    const { staging } = this.job;
    await this.#services.transferWorker.removeStaging({ access, folders, staging });
  }

  /** Removes what a pause has left of the present entry, which is abandoned. */
  async #leaveEntry(job: Job): Promise<void> {
    if (job.state === "undoing") return;
    const entry = await new EntryCursor(this.#records.entries(job)).at(job.next);
    if (!entry?.to) return;
    const { user, settings } = await this.#seenByUser();
    const access = this.#services.gate.enter(viewerOf(user, settings.rules));
    await this.removeStaging(access, entry.to);
  }

  /** Shows that the job is at work, and stops it when its user has asked for that. */
  async #beat(): Promise<void> {
    const at = performance.now();
    try {
      const now = await this.#records.update(this.job.userId, this.job.id, (now) => {
        if (now.runner !== this.job.runner) return null;
        return { progress: this.progress, beat: Date.now() };
      });
      if (!now || now.wish) this.abort();
      this.#lease.renew(at);
    } catch (error) {
      // The store is full or closed: the work itself will find out.
      if (this.#lease.isOver(error)) this.abort();
    }
  }

  async #seen(): Promise<Seen> {
    const { tokenId } = this.job;
    if (tokenId === undefined) return await this.#seenByUser();
    const seen = await this.#services.apiTokens.current(tokenId);
    if (seen) return seen;
    throw new DomainError(
      "not_signed_in",
      "Cannot continue the job: its API token was revoked or has expired",
    );
  }

  async #seenByUser(): Promise<Seen> {
    const { users, settings } = this.#services;
    return { user: await users.acting(this.job.userId), settings: await settings.get() };
  }
}
