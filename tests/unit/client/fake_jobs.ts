/** The server's jobs, for tests of the page: they answer its calls as the server does. */
import { nameOf, parentOf, parsePath } from "../../../lib/shared/path.ts";
import { numberedName } from "../../../lib/shared/numbered_name.ts";
import type { JobAction, JobInfo, LeftOutInfo } from "../../../lib/shared/schemas/job.ts";
import type { AskedEntry } from "../../../lib/client/base/api/jobs_api.ts";
import type { Heard } from "./support.ts";

/** The most failures that are told of one job. */
const MOST_FAILURES = 1000;

/** An entry that was dealt with. */
export interface FakeStep {
  path: string;
  /** Where it is now; null when it is gone. */
  to: string | null;
}

interface FakeJob {
  info: JobInfo;
  entries: AskedEntry[];
  steps: FakeStep[];
}

/** How jobs go, and what follows from them. */
export interface FakeJobsOptions {
  /** The code by which an entry is refused, or its undoing; null when it is not. */
  refuse?: (action: JobAction | "undo", path: string, entry?: AskedEntry) => string | null;
  /** What is left out of a folder that is copied or moved. */
  leaveOut?: (path: string) => Omit<LeftOutInfo, "folder"> | undefined;
  onDone?: (action: JobAction, step: FakeStep) => void;
  onUndone?: (action: JobAction, step: FakeStep) => void;
}

/** A job of which nothing is done. */
export function jobInfo(change: Partial<JobInfo> = {}): JobInfo {
  return {
    id: "job-00000000",
    action: "copy",
    state: "running",
    began: "2026-10-05T12:00:00.000Z",
    ended: null,
    ...{ total: 1, done: 0, failed: 0, name: "a", from: "/docs", to: "/to" },
    progress: { total: 0, entries: 0, bytes: 0, size: 0 },
    ...{ arrived: [], failures: [], checksums: [], undo: "nothing" },
    ...change,
  };
}

/** Jobs that are done at once, unless they are slow. */
export class FakeJobs {
  readonly #options: FakeJobsOptions;
  readonly #jobs = new Map<string, FakeJob>();
  #changed = Promise.withResolvers<void>();

  /** What was asked for, job by job: "move /docs/a /to/a override". */
  readonly asked: string[][] = [];
  /** The ids of the jobs that were undone, in this order. */
  readonly undone: string[] = [];
  /** Jobs wait for {@linkcode advance} and {@linkcode finish}. */
  isSlow = false;
  /** The status of every answer but that; null when the server is there. */
  fault: number | null = null;

  constructor(options: FakeJobsOptions = {}) {
    this.#options = options;
  }

  /** The jobs as they are now, the latest first. */
  get all(): JobInfo[] {
    return [...this.#jobs.values()].map(({ info }) => info).reverse();
  }

  /** Answers a call about jobs; null for any other. */
  async answer({ method, path, body }: Heard): Promise<Response | null> {
    const [, id, undo] = /^\/api\/jobs\/([\w-]+)(\/undo)?$/.exec(path) ?? [];
    if (!path.startsWith("/api/jobs")) return null;
    if (this.fault !== null) return new Response(null, { status: this.fault });
    if (id === undefined) return method === "POST" ? this.#begin(body) : Response.json(this.all);
    const job = this.#jobs.get(id);
    if (!job) return refusal(404, "not_found");
    if (undo) return this.#undo(job);
    if (method === "PATCH") return this.#change(job, JSON.parse(body).state);
    // It waits for news.
    if (job.info.ended === null && job.info.state !== "paused") await this.#changed.promise;
    if (this.fault !== null) return new Response(null, { status: this.fault });
    return Response.json(job.info);
  }

  /** Notes an upload of a client as a part of its job. */
  upload(id: string, path: string): void {
    const job = this.#jobs.get(id) ?? this.#add(id, "upload", []);
    Object.assign(job.info, { state: "done", ended: job.info.began, undo: "all" });
    job.info.total = ++job.info.done;
    job.steps.push({ path, to: path });
  }

  /** Lets the latest job deal with some of its entries. */
  advance(count = 1, [{ id } = jobInfo()] = this.all): void {
    const job = this.#jobs.get(id);
    if (job) { for (let step = 0; step < count; step++) this.#work(job); }
    this.#wake();
  }

  /** Lets the latest job come to its end. */
  finish([{ id } = jobInfo()] = this.all): void {
    const job = this.#jobs.get(id);
    if (job) this.#end(job);
    this.#wake();
  }

  /** Answers the calls that wait, such as with a fault. */
  #wake(): void {
    this.#changed.resolve();
    this.#changed = Promise.withResolvers();
  }

  /** The connection breaks: calls that wait fail as well. */
  lose(status = 503): void {
    this.fault = status;
    this.#wake();
  }

  #begin(body: string): Response {
    const { action, entries } = JSON.parse(body) as { action: JobAction; entries: AskedEntry[] };
    if (entries.length === 0) return refusal(400, "invalid_body");
    this.asked.push(entries.map((entry) => lineOf(action, entry)));
    const job = this.#add(`job-${String(this.#jobs.size + 1).padStart(8, "0")}`, action, entries);
    if (!this.isSlow) this.#end(job);
    return Response.json(job.info, { status: job.info.ended === null ? 202 : 200 });
  }

  #add(id: string, action: JobAction, entries: AskedEntry[]): FakeJob {
    const began = new Date(Date.UTC(2026, 9, 5) + this.#jobs.size).toISOString();
    const [{ path = "/", destination } = {}] = entries as Partial<AskedEntry>[];
    const from = parsePath(path).path;
    const info = jobInfo({
      ...{ id, action, began, total: entries.length, name: nameOf(from), from: parentOf(from) },
      to: destination === undefined ? null : parentOf(destination),
    });
    const job = { info, entries, steps: [] };
    this.#jobs.set(id, job);
    return job;
  }

  #undo({ info, steps }: FakeJob): Response {
    const { id, ended, state } = info;
    if (steps.length === 0 || (ended === null && state !== "paused")) {
      return refusal(412, "precondition_failed");
    }
    this.undone.push(id);
    const total = steps.length;
    Object.assign(info, { state: "undoing", ended: null, total, done: 0, failed: 0 });
    Object.assign(info, { arrived: [], failures: [] });
    const job = this.#jobs.get(id);
    if (job && !this.isSlow) this.#end(job);
    return Response.json(info, { status: info.ended === null ? 202 : 200 });
  }

  #change({ info }: FakeJob, state: "paused" | "running" | "cancelled"): Response {
    if (info.ended !== null || info.state === "undoing") return refusal(412, "precondition_failed");
    Object.assign(info, { state, ended: state === "cancelled" ? info.began : null });
    this.#wake();
    return Response.json(info);
  }

  #end(job: FakeJob): void {
    const { info } = job;
    while (info.done < info.total) this.#work(job);
    Object.assign(info, {
      state: info.state === "undoing" ? "undone" : "done",
      ended: info.began,
    });
  }

  /** Deals with the next entry, or undoes the first step that is left. */
  #work(job: FakeJob): void {
    const { info, entries, steps } = job;
    const { refuse = () => null, leaveOut, onDone, onUndone } = this.#options;
    const { action } = info;
    if (info.state === "undoing") {
      const step = steps[info.failed];
      if (!step) return;
      info.done++;
      const code = refuse("undo", step.to ?? step.path);
      if (code !== null) fail(info, step.to ?? step.path, code);
      else {
        steps.splice(steps.indexOf(step), 1);
        onUndone?.(action, step);
      }
    } else {
      const entry = entries[info.done++];
      if (!entry) return;
      const code = refuse(action, entry.path, entry);
      if (code !== null) fail(info, entry.path, code);
      else {
        const step = { path: entry.path, to: arrivalOf(entry) };
        if (action !== "delete") steps.push(step);
        if (step.to !== null && info.arrived.length < 100) {
          info.arrived.push(nameOf(parsePath(step.to).path));
        }
        onDone?.(action, step);
        const left = leaveOut?.(entry.path);
        if (left) {
          const leftOut = { folder: entry.path, ...left };
          fail(info, `${entry.path}/${left.first[0]}`, "not_a_file", { leftOut });
          info.partial = (info.partial ?? 0) + 1;
        }
      }
    }
    info.undo = steps.length === 0 ? "nothing" : info.failed === 0 ? "all" : "part";
  }
}

function fail(info: JobInfo, path: string, code: string, more = {}): void {
  info.failed++;
  if (info.failures.length >= MOST_FAILURES) return;
  info.failures.push({ path, code, message: "Cannot", ...more });
}

function refusal(status: number, code: string): Response {
  return Response.json({ code, message: "Cannot" }, { status });
}

function lineOf(action: string, entry: AskedEntry): string {
  const flags = (["override", "rename"] as const).filter((flag) => entry[flag]);
  return [action, entry.path, entry.destination, ...flags].filter(Boolean).join(" ");
}

/** Whoever asks for another name gets one. */
function arrivalOf({ destination, rename }: AskedEntry): string | null {
  if (destination === undefined || !rename) return destination ?? null;
  return destination.slice(0, -nameOf(destination).length) +
    numberedName(nameOf(destination), 1, false);
}
