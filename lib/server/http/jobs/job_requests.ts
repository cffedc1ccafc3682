import { checkMembers } from "../request/json_body.ts";
import type { Context } from "fresh";
import { DomainError, type ErrorCode } from "../../../shared/errors.ts";
import {
  childOf,
  encodePath,
  type EntryPath,
  joinPaths,
  nameOf,
  parentOf,
  parsePath,
  ROOT,
} from "../../../shared/path.ts";
import {
  type AskedAction,
  type AskedEntry,
  jobId,
  jobRequestSchema,
} from "../../../shared/schemas/job.ts";
import { slowMountsOf } from "../../core/access/slow_mounts.ts";
import type { Caller } from "../../features/accounts/auth/session.ts";
import { Pauses } from "../../core/concurrency/pauses.ts";
import type { State } from "../define.ts";
import { type Mount, mounts } from "../../core/disk/mounts.ts";
import { etagOf } from "../../files/content/open_content.ts";
import type { FormerFiles } from "../../files/upload/commit_upload.ts";
import type { Facts } from "../../core/disk/facts.ts";
import type { Job, JobEntry, Step } from "../../features/jobs/job.ts";
import { reserveMemory } from "../middleware/heavy_answers.ts";
import { signedInOf } from "../middleware/sign_in.ts";
import { wholeBody } from "../openapi/json_body.ts";
import { addLeftOut, jsonAnswer, textAnswer } from "../response/answers.ts";
import { accessFor } from "../request/access_for.ts";
import { readBody } from "../request/body.ts";
import { readJobBody } from "./job_body.ts";

/**
 * The body of a call that begins a job. Its limits bound the number of entries and the lengths of
 * their paths together, which are held parsed.
 */
export const jobBody = wholeBody(jobRequestSchema, {
  description: "Up to 16 MiB, to arrive within 60 seconds; up to 100,000 entries.",
  limits: { bytes: 16 * 1024 * 1024, milliseconds: 60_000, held: 3 },
  isReadByCall: true,
});

/** The longest time that a request waits for a job, in milliseconds. */
const maxWaitMs = 60_000;

/** The preferences of a client about the time of the answer (RFC 7240). */
export interface Preference {
  /** The client wants the unfinished job as the answer, when it is not done in time. */
  isAsync: boolean;
  /** How long it would wait for it to be done. */
  waitMs: number;
}

/** Reads the header `Prefer: respond-async, wait=SECONDS`. */
export function preferenceOf({ headers }: Request): Preference {
  const words = (headers.get("prefer") ?? "").toLowerCase().split(/[,;]/).map((one) => one.trim());
  const seconds = words.map((word) => /^wait\s*=\s*"?(\d{1,9})"?$/.exec(word)?.[1]).find(Boolean);
  return {
    isAsync: words.includes("respond-async"),
    waitMs: Math.min(Number(seconds ?? 0) * 1000, maxWaitMs),
  };
}

/**
 * Reads a new job, as far as memory allows, and begins it, here or in the thread of its disks. In
 * slices: nobody else waits.
 *
 * @returns the answer of that thread, or the job
 * @throws {DomainError} `invalid_json`, `invalid_body`, `invalid_path`, `body_too_large`, `busy`;
 * as `Jobs.begin()`
 */
export async function beginJob(ctx: Context<State>): Promise<Response | Job> {
  const { req } = ctx;
  const body = await readBody(ctx, jobBody.limits);
  const pauses = new Pauses(req.signal, "serving");
  const { action, entries: asked } = await readJobBody(
    body,
    pauses,
    (part) => checkMembers(jobBody, part),
  );
  const entries: JobEntry[] = [];
  for (const entry of asked) {
    if (pauses.isDue) await pauses.pause();
    entries.push(await entryOf(action, entry, pauses));
  }
  const sent = await sentToSlowDisk(ctx, entries, body, pauses);
  req.signal.throwIfAborted();
  return sent ?? await ctx.state.cubby.jobs.begin({ ...begunBy(ctx), action }, entries);
}

async function entryOf(
  action: AskedAction,
  { path: text, destination, override, rename, names, format, algorithm }: AskedEntry,
  pauses: Pauses,
): Promise<JobEntry> {
  const hasDestination = !["trash", "delete", "checksum"].includes(action);
  if (hasDestination && destination === undefined) {
    throw new DomainError("invalid_body", `Cannot ${action} "${text}" without a destination`);
  }
  const { path } = parsePath(text);
  const base = action === "archive" ? path : ROOT;
  const chosen: EntryPath[] | undefined = names && [];
  for (const name of names ?? []) {
    if (pauses.isDue) await pauses.pause();
    chosen?.push(joinPaths(base, parsePath(name).path));
  }
  return {
    path,
    to: hasDestination ? parsePath(destination ?? "").path : null,
    ...(override ? { override } : {}),
    ...(rename ? { rename } : {}),
    ...(chosen && (action === "archive" || action === "extract") ? { chosen } : {}),
    ...(action === "archive" ? { format } : {}),
    ...(action === "checksum" ? { algorithm } : {}),
  };
}

/**
 * Sends a request about entries on disks that may hang to the thread that waits for those.
 *
 * @returns null where there are none
 */
async function sentToSlowDisk(
  ctx: Context<State>,
  entries: readonly JobEntry[],
  body: Uint8Array<ArrayBuffer>,
  pauses: Pauses,
): Promise<Response | null> {
  if (ctx.state.cubby.slowDisks === null || mounts.slow.length === 0) return null;
  const access = accessFor(ctx);
  const disks = new Set<Mount>();
  for (const { path, to } of entries) {
    if (pauses.isDue) await pauses.pause();
    for (const each of to === null ? [path] : [path, to]) {
      for (const disk of slowMountsOf(access, each, "below")) disks.add(disk);
    }
  }
  return await sentTo(ctx, [...disks], entries[0]?.path ?? ROOT, body);
}

/**
 * The same for a change of a job, which is made where the job runs.
 *
 * @returns null where it is on no such disk
 */
export async function sentToDisksOf(
  ctx: Context<State>,
  { slow = [], from }: Job,
  change: unknown,
): Promise<Response | null> {
  const disks = mounts.slow.filter(({ point }) => slow.includes(point));
  const body = change === undefined ? null : new TextEncoder().encode(JSON.stringify(change));
  return await sentTo(ctx, disks, from, body);
}

async function sentTo(
  ctx: Context<State>,
  disks: Mount[],
  path: EntryPath,
  body: Uint8Array<ArrayBuffer> | null,
): Promise<Response | null> {
  const { slowDisks } = ctx.state.cubby;
  if (slowDisks === null || disks.length === 0) return null;
  const { url, method, headers, signal } = ctx.req;
  const again = new Request(url, { method, headers, body, signal });
  return await slowDisks.fetch(again, ctx.info, disks, path);
}

/** By whom and from where a job is begun. */
export function begunBy(ctx: Context<State>): Pick<Job, "userId" | "tokenId" | "address"> {
  const { user, token } = signedInOf(ctx);
  const by = { userId: user.id, address: ctx.state.address };
  return token ? { ...by, tokenId: token.id } : by;
}

/**
 * The user of a request about a job. For an API token there are those jobs alone that it has begun:
 * others may be about entries that it must not know of.
 *
 * @throws {DomainError} `not_found`
 */
export async function jobOwnerOf(ctx: Context<State>, id: string): Promise<Caller> {
  const caller = signedInOf(ctx);
  const { token, user } = caller;
  if (!token || (await ctx.state.cubby.jobs.records.get(user.id, id)).tokenId === token.id) {
    return caller;
  }
  throw new DomainError("not_found", `Cannot find the job "${id}"`);
}

/** A job of the user after the time that the client wants to wait for its end. */
export async function waitForJob(ctx: Context<State>, userId: number, id: string): Promise<Job> {
  return await ctx.state.cubby.jobs.wait(userId, id, preferenceOf(ctx.req).waitMs, ctx.req.signal);
}

/** Waits likewise for a job that was begun by the request, and tells of it. */
export async function begunJobAnswer(
  ctx: Context<State>,
  { userId, id }: Pick<Job, "userId" | "id">,
): Promise<Response> {
  // Its entries are in the store now.
  await reserveMemory(ctx, 0);
  const job = await waitForJob(ctx, userId, id);
  return await jobAnswer(ctx, job, job.ended === null ? 202 : 200);
}

/** Answers with a job in progress, or its result. */
export async function jobAnswer(ctx: Context<State>, job: Job, status = 200): Promise<Response> {
  const headers = new Headers();
  if (status === 202) {
    headers.set("location", `${ctx.config.basePath}/api/jobs/${job.id}`);
    headers.set("preference-applied", "respond-async");
  }
  return jsonAnswer(await ctx.state.cubby.jobs.info(job), { status, headers });
}

/**
 * Deals with one entry by a job of its own. As long as the client wants to wait, the answer is that
 * of the call itself; a client that goes away cancels the job then.
 *
 * @throws {DomainError} why the entry could not be dealt with; `precondition_failed` when its user
 * has paused or cancelled the job meanwhile
 */
export async function answerByJob(
  ctx: Context<State>,
  action: Job["action"],
  entry: JobEntry,
): Promise<Response> {
  const { jobs } = ctx.state.cubby;
  const { isAsync, waitMs } = preferenceOf(ctx.req);
  const facts = { ...begunBy(ctx), action };
  const { userId, id } = await jobs.begin(facts, [entry]);
  const { signal } = ctx.req;
  const job = await jobs.wait(userId, id, isAsync ? waitMs : Infinity, signal);
  if (job.ended === null && isAsync) return await jobAnswer(ctx, job, 202);
  if (job.ended === null) {
    await jobs.change(userId, id, "cancelled");
    signal.throwIfAborted();
  }
  if (job.state !== "done") {
    const text = `Cannot ${action} "${entry.path}": it was paused or cancelled`;
    throw new DomainError("precondition_failed", text);
  }
  const [failure] = await jobs.records.failures(job, 1);
  const leftOut = failure?.leftOut ?? null;
  if (failure && !leftOut) throw new DomainError(failure.code as ErrorCode, failure.message);
  const headers = new Headers();
  addLeftOut(headers, entry.path, leftOut);
  const place = await placeAfter(ctx, job, entry);
  if (place) headers.set("content-location", ctx.config.basePath + place);
  return textAnswer("OK\n", { headers });
}

async function placeAfter(ctx: Context<State>, job: Job, { to }: JobEntry): Promise<string | null> {
  if (to !== null) {
    return `/api/resources${encodePath(childOf(parentOf(to), job.arrived[0] ?? nameOf(to)))}`;
  }
  const [step] = await ctx.state.cubby.jobs.records.steps(job);
  return step?.value.kind === "trashed" ? `/api/trash/${step.value.id}` : null;
}

/**
 * The id of the job that uploads are a part of, by `?job=`; null without it.
 *
 * @throws {DomainError} `invalid_option` for what can be no id
 */
export function uploadJobOption(query: URLSearchParams): string | null {
  const id = query.get("job");
  if (id === null || jobId.test(id)) return id;
  throw new DomainError("invalid_option", `Cannot use "${id}" as a job: invalid id`);
}

/** The hooks of an upload that note it for its undo. */
export interface NotedUpload {
  formerFiles: FormerFiles;
  /** Notes it as a part of the client's job, if the query names one. @param etag of the new file */
  note(etag: string): Promise<void>;
  /** Notes a folder that was made for uploads. */
  recordFolder(): Promise<void>;
}

/**
 * Prepares to note an upload for its undo, as `?job=` asks.
 *
 * @throws {DomainError} `invalid_option` for what can be no id
 */
export function notedUpload(ctx: Context<State>, path: EntryPath): NotedUpload {
  const { trash, jobs, log } = ctx.state.cubby;
  const by = begunBy(ctx);
  const id = uploadJobOption(ctx.url.searchParams);
  const files = trash.formerFilesOf(by.userId);
  let version: string | undefined;
  let isFinal = false;
  const noting = async (stepOf: (there: { info: Facts }) => Step | null) => {
    if (id === null) return;
    try {
      const there = accessFor(ctx).create(path).existing;
      const step = there && stepOf(there);
      if (step) await jobs.note({ ...by, id }, { path, to: path }, step);
    } catch (error) {
      // The entry is there: that it cannot be undone must not fail the upload.
      log.line(`Cannot record an upload for its undo: ${error}`, "error");
    }
  };
  return {
    formerFiles: {
      ...files,
      async keep(folder, at, former) {
        const kept = await files.keep(folder, at, former);
        [version, isFinal] = [kept?.id, kept === null];
        return kept;
      },
    },
    note: (etag) =>
      noting(({ info }) =>
        info.isFile && etagOf(info) === etag
          ? { kind: "arrived", to: path, ino: info.ino, version, isFinal }
          : null
      ),
    recordFolder: () =>
      noting(({ info }) => info.isDirectory ? { kind: "made", to: path, ino: info.ino } : null),
  };
}
