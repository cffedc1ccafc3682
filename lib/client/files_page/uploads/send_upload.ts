import type { EntryPath } from "../../../shared/path.ts";
import {
  type Failure,
  failure,
  type FailureCode,
  type Result,
  success,
} from "../../../shared/result.ts";
import { failureOfThrow, type Fetch } from "../../base/api/calls.ts";
import type { Api } from "../../base/api/api.ts";
import { type ApiPath, declaredPath } from "../../base/api/api_path.ts";
import { isAway } from "../../base/api/connection.ts";
import {
  fetchReporting,
  isReadable,
  type PartSettings,
  type SendOptions,
  Tus,
  type UploadMemory,
} from "../../base/api/tus.ts";
import type { PauseReason } from "./lazy_uploads.ts";
import type { UnfinishedUploads } from "./unfinished_uploads.ts";

/** The calls that uploads need. */
export type UploadApi = Pick<Api, "calls">;

/** Options of an upload. */
export interface UploadOptions extends SendOptions {
  /** Replaces an existing file. */
  override: boolean;
  /** The id of the job that it is a part of. */
  job?: string;
}

/** Options of the moment in which an upload gets its name. */
export interface NamingOptions extends UploadOptions {
  unfinished: UnfinishedUploads;
  /** Keeps both files where the name is taken once all bytes have arrived. */
  rename?: boolean;
}

/** Options of a resumable upload. */
export interface ResumableOptions extends NamingOptions {
  parts: PartSettings;
  /** By which the browser can open the file again. */
  handle: FileSystemHandle | null;
  /** The file keeps its time. */
  keepsModified: boolean;
}

/** Uploads a small file in one request. */
export function sendWhole(
  { calls }: UploadApi,
  at: EntryPath,
  body: File,
  { override, job, keepsModified, onProgress, signal }: UploadOptions & { keepsModified: boolean },
): Promise<Result<void>> {
  const query = { override, modified: keepsModified ? body.lastModified : undefined, job };
  const fetch = fetchReporting(onProgress);
  const call = { query, body, fetch, signal, final: true } as const;
  return calls.done("POST /api/resources/{path}", { params: { path: at }, ...call });
}

/** One of the files of a request for many. */
export interface SmallFile {
  file: File;
  /** Its path below the folder, without a slash at the beginning. */
  path: string;
  /** Replaces an existing file. */
  override: boolean;
  /** An earlier request may have written it. */
  wasSent: boolean;
}

/** Options of a request for many files. */
interface ManyOptions extends Pick<UploadOptions, "job" | "signal"> {
  keepsModified: boolean;
  /** Called with the bytes sent so far of each file. */
  onProgress: (sent: number[]) => void;
}

/**
 * Uploads many small files in one request.
 *
 * @returns the answer to each; `aborted` for one that another, unreadable file has kept from being
 * sent
 */
export async function sendMany(
  { calls }: UploadApi,
  folder: EntryPath,
  files: readonly SmallFile[],
  { job, keepsModified, onProgress, signal }: ManyOptions,
): Promise<Result<void>[]> {
  const list = files.map(({ file, path, override, wasSent }) => ({
    path,
    size: file.size,
    modified: keepsModified ? file.lastModified : undefined,
    override,
    resent: wasSent,
  }));
  const head = new Blob([`${JSON.stringify({ files: list })}\n`]);
  const body = new Blob([head, ...files.map(({ file }) => file)]);
  const sending = fetchReporting((sent) => {
    let left = sent - head.size;
    onProgress(files.map(({ file: { size } }) => {
      const own = Math.max(0, Math.min(size, left));
      left -= size;
      return own;
    }));
  });
  const fetch: Fetch = async (address, init) => {
    try {
      return await sending(address, init);
    } catch (error) {
      const areReadable = await Promise.all(files.map(({ file }) => isReadable(file)));
      throw areReadable.includes(false) ? new DOMException("", "NotReadableError") : error;
    }
  };
  const call = { query: { job }, body, fetch, signal, final: true } as const;
  const answer = await calls.json("POST /api/uploads/{path}", {
    params: { path: folder },
    ...call,
  });
  if (!answer.ok) return await failuresOf(answer, files);
  return files.map((_, index) => {
    const { status = 0, code, message = "" } = answer.value.files[index] ?? {};
    return status === 200
      ? success(undefined)
      : failure(status, (code ?? "unknown") as FailureCode, message);
  });
}

/** The failure of each file; those beside an unreadable one can be sent without it. */
async function failuresOf(why: Failure, files: readonly SmallFile[]): Promise<Failure[]> {
  if (why.code !== "unreadable") return files.map(() => why);
  const kept = failure(0, "aborted", "Another file can't be read");
  return await Promise.all(
    files.map(async ({ file }) => await isReadable(file) ? kept : why),
  );
}

/** The address of the user's resumable upload to a path. */
export function tusPath(at: EntryPath): ApiPath {
  return declaredPath("POST /api/tus/{path}", { path: at });
}

/** Uploads a large file in parts, while no other tab sends to the path. */
export function sendInParts(
  { calls }: UploadApi,
  at: EntryPath,
  file: File,
  { parts, handle, keepsModified, ...naming }: ResumableOptions,
): Promise<Result<void>> {
  const to = tusPath(at);
  const { unfinished } = naming;
  const memory: UploadMemory = {
    find: async () => await unfinished.matches(at, file) ? to : null,
    remember: () => unfinished.remember(at, file, handle),
    note: (part) => unfinished.note(at, part),
    forget: () => unfinished.forget(at),
  };
  const metadata: Record<string, string> = keepsModified
    ? { lastModified: String(file.lastModified) }
    : {};
  const options = { ...optionsOf(naming, memory), parts, metadata, at: to };
  return inTurn(at, naming, () => new Tus(calls).send(to, file, options));
}

/** Asks for the name of an upload that has all its bytes; see {@linkcode Tus.name}. */
export function nameUpload(
  { calls }: UploadApi,
  at: EntryPath,
  size: number,
  naming: NamingOptions,
): Promise<Result<void>> {
  const to = tusPath(at);
  const { unfinished } = naming;
  const memory: UploadMemory = {
    find: () => Promise.resolve(to),
    remember: () => Promise.resolve(),
    forget: () => unfinished.forget(at),
  };
  return inTurn(at, naming, () => new Tus(calls).name(to, size, optionsOf(naming, memory)));
}

function optionsOf(
  { override, rename, job, onProgress, signal }: NamingOptions,
  memory: UploadMemory,
) {
  return { query: { override, rename, job }, memory, onProgress, signal };
}

/** Runs an upload while no other tab sends it. */
async function inTurn(
  at: EntryPath,
  { unfinished, signal }: NamingOptions,
  run: () => Promise<Result<void>>,
): Promise<Result<void>> {
  try {
    return await unfinished.hold(at, signal, run);
  } catch (error) {
    return failureOfThrow(error);
  }
}

/** The reason to pause the whole queue after a failure; null when it concerns one upload only. */
export function pauseReason({ status, code }: Failure): PauseReason | null {
  if (code === "not_signed_in") return "session";
  if (code === "throttled") return "throttle";
  return isAway(status) && (code === "offline" || status > 0) ? "server" : null;
}
