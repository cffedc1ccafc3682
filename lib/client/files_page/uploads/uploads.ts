import { type ReadonlySignal, signal } from "@preact/signals";
import { type EntryPath, ROOT } from "../../../shared/path.ts";
import type { Choice, Choices, Conflict } from "../../base/prompts/prompts.ts";
import type { DroppedRoot, Incoming } from "../drag/dropped.ts";
import { isAway } from "../../base/api/connection.ts";
import { delay } from "../../../shared/delay.ts";
import { warnBeforeLeaving } from "../../base/navigation/leave_guard.ts";
import { type Failure, failure, type Result } from "../../../shared/result.ts";
import { readRoots } from "../drag/read_roots.ts";
import { openLocalStorage } from "../../base/core/browser_storage.ts";
import { Throttle } from "../../base/core/throttle.ts";
import { conflictsOf, findTaken, freeFolderNames } from "./upload_conflicts.ts";
import {
  createHeldJob,
  createJob,
  factsOf,
  inOrder,
  keepBoth,
  labelOf,
  numberJob,
  type UploadJob,
} from "./upload_job.ts";
import { UploadQueue } from "./upload_queue.ts";
import { InterruptedUploads, type Unfinished, UnfinishedUploads } from "./unfinished_uploads.ts";
import { nameUpload, pauseReason, sendInParts, sendMany, sendWhole } from "./send_upload.ts";
import {
  type FinishedUploads,
  NO_UPLOADS,
  type PauseReason,
  type UploadsOptions,
  type UploadsState,
} from "./lazy_uploads.ts";

/** The largest file that is sent in one request, in bytes. */
const LARGEST_WHOLE = 2 * 2 ** 20;

/** The number of concurrent requests. */
const AT_ONCE = 5;

/** The largest file that is sent in one request with others, in bytes. */
const LARGEST_TOGETHER = 64 * 2 ** 10;

/** The most files in one request, and the most bytes of them: a lost one costs little. */
const MOST_TOGETHER = 100;
const MOST_BYTES_TOGETHER = 256 * 2 ** 10;

/** The shortest interval between two progress updates, in milliseconds. */
const PROGRESS_MS = 100;

/** The most retries after a lost connection, as a file that became unreadable looks the same. */
const MOST_LOSSES = 5;

/** The number of jobs queued before yielding to the event loop. */
const AT_A_TIME = 500;

/** The number of rows listed until the panel reports its view. */
const FIRST_LISTED = 20;

/**
 * The upload queue: five requests at a time, whichever folder is open. Many small files are sent
 * together. Nothing is replaced without asking, and failed uploads stay listed until retried or
 * dismissed.
 */
export class Uploads {
  readonly #options: UploadsOptions;
  readonly #queue = new UploadQueue();
  readonly #unfinished: UnfinishedUploads;
  readonly #now = signal<UploadsState>(NO_UPLOADS);
  readonly #news = new Throttle(() => this.#show(), PROGRESS_MS);
  #lastId = 0;
  #isOpen = false;
  #isAsking = false;
  /** The number of additions still being queued; the queue is not empty until it is 0. */
  #adding = 0;
  /** The number of `cancelAll()` calls, so that additions of an earlier round stop. */
  #round = 0;
  #paused: PauseReason | null = null;
  #finished: FinishedUploads | null = null;
  #listed = { from: 0, to: FIRST_LISTED };
  /** Uploads of an earlier page that have all their bytes, but not their names. */
  readonly #held = new Map<EntryPath, UploadJob>();
  /** Whether small files share requests: not where a proxy or a hung disk below is in the way. */
  #sharesRequests = true;

  /** The queue as it stands; it changes at most once in 100 ms. */
  readonly now: ReadonlySignal<UploadsState> = this.#now;

  /** Uploads that an earlier page has begun. */
  readonly interrupted: InterruptedUploads;

  /** @param options the dependencies of uploads */
  constructor(options: UploadsOptions) {
    this.#options = options;
    const unfinished = new UnfinishedUploads(openLocalStorage(), options.userId);
    this.#unfinished = unfinished;
    const add = (destination: EntryPath, incoming: Incoming[]) => this.add(destination, incoming);
    const hold = (upload: Unfinished, why: Failure) => this.#hold(upload, why);
    this.interrupted = new InterruptedUploads({ api: options.api, unfinished, add, hold });
  }

  /**
   * Queues files and folders. Name conflicts are resolved by a prompt first; if it is closed, none
   * is queued.
   */
  async add(destination: EntryPath, incoming: readonly Incoming[]): Promise<void> {
    const { api, entriesIn } = this.#options;
    const known = entriesIn(destination);
    const there = known ?? await findTaken(api, destination, incoming);
    const conflicts = conflictsOf(destination, incoming, there);
    const tops = new Set(incoming.map(({ segments }) => segments[0]));
    const choices = await this.#ask(conflicts, conflicts.length < tops.size);
    if (choices === null) return;
    const renamed = await freeFolderNames(api, destination, conflicts, choices, known);
    this.#adding++;
    const round = this.#round;
    for (const [index, item] of inOrder(incoming).entries()) {
      if (index % AT_A_TIME === AT_A_TIME - 1) await this.#rest();
      const [top = "", ...below] = item.segments;
      const choice = there.has(top) ? choices.get(top) ?? "skip" : undefined;
      if (choice === "skip") continue;
      const segments = [renamed.get(top) ?? top, ...below];
      const isReplacing = choice === "replace";
      const job = createJob(++this.#lastId, destination, { ...item, segments }, isReplacing);
      const { path, file } = job;
      if (choice === "keep" && below.length === 0 && file !== null) {
        // Bytes that the server has are not sent again under another name.
        const isBegun = file.size > LARGEST_WHOLE && await this.#unfinished.matches(path, file);
        if (isBegun) job.keepsBoth = true;
        else numberJob(job);
      }
      if (round !== this.#round) break;
      this.#queue.add(job);
      this.#takeOver(path);
    }
    this.#adding--;
    this.#advance();
  }

  /** Queues dropped items, folders recursively. */
  async addDropped(destination: EntryPath, roots: readonly DroppedRoot[]): Promise<void> {
    await this.add(destination, await readRoots(roots));
  }

  /** Cancels one upload; the server deletes its partial data. */
  cancel(id: number): void {
    const job = this.#queue.get(id);
    if (job) this.#drop(job);
    this.#advance();
  }

  /**
   * Cancels all unfinished uploads, and additions under way.
   *
   * @returns the number of uploads, and a function that queues them again
   */
  cancelAll(): { count: number; resume: () => void } {
    this.#round++;
    const jobs = this.#queue.all();
    for (const job of jobs) this.#queue.drop(job);
    this.#advance();
    const resume = () => {
      for (const job of jobs) this.#queue.revive(job);
      this.#advance();
    };
    return { count: jobs.length, resume };
  }

  /** Retries a failed upload, if that makes sense. */
  retry(id: number): void {
    const job = this.#queue.get(id);
    if (job?.status === "failed" && !job.isHopeless) this.#queue.again(job);
    this.#advance();
  }

  /** Retries all failed uploads for which that makes sense. */
  retryFailed(): void {
    for (const job of this.#queue.failed) if (!job.isHopeless) this.#queue.again(job);
    this.#advance();
  }

  /** Removes failed and finished uploads from the list; active ones go on. */
  dismiss(): void {
    this.#finished = null;
    for (const job of this.#queue.failed) this.#queue.drop(job);
    this.#news.flush();
  }

  /** Sets the range of uploads that the panel lists; `to` is exclusive. */
  list(from: number, to: number): void {
    this.#listed = { from, to };
    this.#news.flush();
  }

  /** Computes the state again: a stalled upload reports nothing. */
  refresh(): void {
    this.#news.flush();
  }

  /** Lists an upload of an earlier page that has all its bytes, but not its name. */
  #hold(upload: Unfinished, why: Failure): void {
    const known = this.#held.get(upload.path)?.status ?? "done";
    if (known !== "done" && known !== "cancelled") return;
    const job = createHeldJob(++this.#lastId, upload, why);
    this.#held.set(upload.path, job);
    this.#queue.add(job);
    this.#news.flush();
  }

  /** Withdraws the offer to resume an upload of an earlier page: it continues. */
  #takeOver(path: EntryPath): void {
    this.interrupted.hide(path);
    const held = this.#held.get(path);
    if (held?.status === "failed") this.#queue.drop(held);
  }

  /** Drops a job, with the bytes that the server has of one that is not being sent. */
  #drop(job: UploadJob): void {
    const isIdle = job.status === "failed" || job.status === "asking";
    if (isIdle && job.size > LARGEST_WHOLE) void this.interrupted.discard(job.path);
    this.#queue.drop(job);
  }

  #show(): void {
    const state = this.#queue.look(this.#listed, this.#paused);
    this.#now.value = state.phase === "busy" ? state : { ...state, finished: this.#finished };
  }

  /** Starts queued jobs, and yields to the event loop. */
  async #rest(): Promise<void> {
    this.#advance();
    await delay(0);
  }

  async #ask(conflicts: readonly Conflict[], others: boolean): Promise<Choices | null> {
    if (conflicts.length === 0) return new Map();
    const { prompts, mayReplace } = this.#options;
    return await prompts.open("replace", { conflicts, others, mayReplace: mayReplace() });
  }

  /** Starts waiting jobs, publishes the state, and settles an empty queue. */
  #advance(): void {
    while (this.#paused === null && this.#queue.requests < AT_ONCE) {
      const jobs = this.#startSome();
      if (jobs.length === 0) break;
      void this.#run(jobs);
    }
    const wasOpen = this.#isOpen;
    this.#isOpen = this.#queue.isBusy || this.#adding > 0;
    if (this.#isOpen && !wasOpen) {
      this.#finished = null;
      this.#options.window?.addEventListener("beforeunload", warnBeforeLeaving);
    }
    if (this.#isOpen) return this.#news.ask();
    const outcome = this.#queue.settle();
    const { done: count, arrived, job } = outcome;
    if (count > 0) this.#finished = { count, arrived, job };
    this.#news.flush();
    if (!wasOpen) return;
    this.#options.window?.removeEventListener("beforeunload", warnBeforeLeaving);
    this.#options.onSettled(outcome);
  }

  /** Starts the next job, with those after it that can be sent together, spread over all requests. */
  #startSome(): UploadJob[] {
    const most = Math.min(MOST_TOGETHER, Math.floor(this.#queue.waiting / AT_ONCE));
    const first = this.#queue.start();
    if (first === null) return [];
    const jobs = [first];
    let bytes = first.size;
    const joins = (job: UploadJob) => {
      bytes += job.size;
      return isSmall(job) && job.destination === first.destination && bytes <= MOST_BYTES_TOGETHER;
    };
    while (this.#sharesRequests && isSmall(first) && jobs.length < most) {
      const next = this.#queue.start(joins);
      if (next === null) break;
      jobs.push(next);
    }
    return jobs;
  }

  async #run(jobs: readonly UploadJob[]): Promise<void> {
    const controller = new AbortController();
    for (const job of jobs) job.controller = controller;
    const [first] = jobs;
    const isTogether = jobs.length > 1 || first?.wasSent;
    const answers = isTogether
      ? await this.#sendTogether(jobs, controller.signal)
      : await Promise.all(jobs.map((job) => this.#send(job, controller.signal)));
    // Those that are put back keep their order.
    for (const [index, job] of [...jobs.entries()].reverse()) {
      const answer = answers[index];
      // Dropped meanwhile; after an undo another request sends it.
      if (job.status !== "sending" || job.controller !== controller || !answer) continue;
      if (jobs.length > 1 && !answer.ok && isRefusedTogether(answer)) {
        this.#sharesRequests = false;
        this.#queue.putBack(job);
        continue;
      }
      if (isTogether && !answer.ok && isAway(answer.status)) job.wasSent = true;
      if (!answer.ok && answer.code === "aborted") this.#queue.putBack(job);
      else this.#settle(job, answer);
    }
    this.#advance();
  }

  #settle(job: UploadJob, answer: Result<void>): void {
    const { override } = job;
    job.isUnnamed = !answer.ok && job.size > LARGEST_WHOLE && job.sent >= job.size;
    if (answer.ok) this.#queue.finish(job);
    else if (job.isHeld && answer.code === "wrong_offset") {
      // It lacks bytes after all: its file is needed.
      this.#queue.drop(job);
      void this.interrupted.find();
    } else if (answer.code === "exists" && job.file !== null && !override) this.#meet(job);
    else if (pauseReason(answer) && ++job.losses <= MOST_LOSSES) this.#pause(job, answer);
    else this.#queue.fail(job, answer);
  }

  /** Pauses the queue until the cause of a failure that concerns all uploads is over. */
  #pause(job: UploadJob, why: Failure): void {
    this.#queue.putBack(job);
    if (this.#paused !== null) return;
    this.#paused = pauseReason(why);
    void this.#options.api.recover(why).then((isOver) => {
      this.#paused = null;
      if (!isOver) this.#queue.failWaiting(why);
      this.#advance();
    });
  }

  #sendTogether(jobs: readonly UploadJob[], signal: AbortSignal): Promise<Result<void>[]> {
    const files = jobs.flatMap((job) => {
      const { file, override, wasSent } = job;
      return file ? [{ file, path: labelOf(job), override, wasSent }] : [];
    });
    return sendMany(this.#options.api, jobs[0]?.destination ?? ROOT, files, {
      job: this.#queue.jobId,
      keepsModified: this.#options.keepsModified(),
      onProgress: (sent) => {
        for (const [index, job] of jobs.entries()) job.sent = sent[index] ?? 0;
        this.#news.ask();
      },
      signal,
    });
  }

  #send(job: UploadJob, signal: AbortSignal): Promise<Result<void>> {
    const { api } = this.#options;
    const { file, path, override } = job;
    const id = this.#queue.jobId;
    if (file === null) return api.makeFolder(path, { job: id, signal });
    const onProgress = (sent: number) => {
      job.sent = sent;
      job.transferRate.note(sent);
      this.#news.ask();
    };
    const keepsModified = this.#options.keepsModified();
    const wanted = { override, job: id, keepsModified, onProgress, signal };
    if (job.size <= LARGEST_WHOLE) return sendWhole(api, path, file, wanted);
    const naming = { ...wanted, rename: job.keepsBoth, unfinished: this.#unfinished };
    if (job.isHeld) {
      onProgress(job.size);
      return nameUpload(api, path, job.size, naming);
    }
    const before = job.sent;
    return sendInParts(api, path, file, {
      ...naming,
      onProgress(sent) {
        // It goes on where it was: later losses are others.
        if (sent > before) job.losses = 0;
        onProgress(sent);
      },
      parts: this.#options.parts,
      handle: job.handle,
    });
  }

  /** Resolves a name conflict that the server found: tries the next number, or asks the user. */
  #meet(job: UploadJob): void {
    if (job.number > 0 || job.keepsBoth && !job.isUnnamed) {
      keepBoth(job);
      return this.#queue.again(job);
    }
    this.#queue.question(job);
    if (!this.#isAsking) void this.#askAboutTaken();
  }

  /** Asks once about all conflicts found while the former prompt was open. */
  async #askAboutTaken(): Promise<void> {
    this.#isAsking = true;
    while (this.#queue.asking.size > 0) {
      const jobs = [...this.#queue.asking];
      const conflicts = jobs.map((job) => ({
        name: labelOf(job),
        coming: factsOf(job.file, job.size),
      }));
      const choices = await this.#ask(conflicts, true);
      for (const job of jobs) {
        if (job.status === "asking") this.#decide(job, choices?.get(labelOf(job)) ?? null);
      }
      this.#advance();
    }
    this.#isAsking = false;
  }

  #decide(job: UploadJob, choice: Choice | null): void {
    if (choice === "skip") return this.#drop(job);
    if (choice === "replace" || choice === "keep") {
      job.override = choice === "replace";
      if (choice === "keep") keepBoth(job);
      return this.#queue.again(job);
    }
    const why = failure(409, "exists", `Cannot upload "${job.name}": the name is taken`);
    this.#queue.fail(job, why);
  }
}

/** Whether files may be accepted one by one though a request for many is not. */
function isRefusedTogether({ status, code }: Failure): boolean {
  return status === 413 || code === "disk_timeout";
}

/** Whether a job may be sent with others. After a loss it goes alone: it may be the cause. */
function isSmall({ file, size, losses, isHeld }: UploadJob): boolean {
  return file !== null && size <= LARGEST_TOGETHER && losses === 0 && !isHeld;
}
