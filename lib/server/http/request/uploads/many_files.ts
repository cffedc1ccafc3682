import { Buffer } from "node:buffer";
import { createHash } from "node:crypto";
import type { Context } from "fresh";
import { eachAtOnce } from "../../../../shared/at_once.ts";
import { unlessRefused } from "../../../../shared/unless_refused.ts";
import { DomainError } from "../../../../shared/errors.ts";
import { type EntryPath, joinPaths, parsePath } from "../../../../shared/path.ts";
import { read } from "../../../../shared/schemas/read.ts";
import {
  maxFilesAtOnce,
  type ReceivedFile,
  type SentFile,
  sentFilesSchema,
} from "../../../../shared/schemas/upload.ts";
import type { Access } from "../../../core/access/access.ts";
import { openContent } from "../../../files/content/open_content.ts";
import type { State } from "../../define.ts";
import { notedUpload } from "../../jobs/job_requests.ts";
import { wholeBody } from "../../openapi/json_body.ts";
import { refusalOf } from "../../response/error_response.ts";
import { statusOf } from "../../openapi/statuses.ts";
import { accessFor } from "../access_for.ts";
import { readBody } from "../body.ts";
import { checkMembers, parseJsonObject } from "../json_body.ts";
import { readTime } from "./tus.ts";
import { writeFile } from "./write_file.ts";

/** Limits of the whole body, which is held in memory. */
const limits = { bytes: 1024 * 1024, milliseconds: 120_000 };

/** The longest list of files, in bytes: it is parsed in the serving thread. */
const maxListBytes = 256 * 1024;

/** Most values and members in it. */
const maxValues = 20 * maxFilesAtOnce;

/** Files that are written at a time: while the disk syncs some, others are received. */
const atOnce = 16;

const newline = "\n".charCodeAt(0);

/** The list, for the check of its members. */
const listBody = wholeBody(sentFilesSchema);

/** The limits in words, for the reference. */
export const manyFilesBody =
  "One line of JSON with the list of `files`, then the bytes of each file in the order of the " +
  `list, with nothing between them: at most ${limits.bytes / 2 ** 20} MiB in all, of which ` +
  `${maxListBytes / 1024} KiB are the list, within ${limits.milliseconds / 1000} seconds; at ` +
  `most ${maxFilesAtOnce} files.`;

/** One of the files, with its bytes. */
interface WholeFile extends SentFile {
  bytes: Uint8Array<ArrayBuffer>;
}

/**
 * Reads the files of a request.
 *
 * @throws {DomainError} `body_too_large`, `invalid_json`, `busy`; `invalid_body`, also when the bytes
 * are fewer or more than the list says, or a path is in it twice
 */
export async function readFiles(ctx: Context<State>): Promise<WholeFile[]> {
  const body = await readBody(ctx, limits);
  const end = body.subarray(0, maxListBytes + 1).indexOf(newline);
  if (end < 0) throw refused(`no line of up to ${maxListBytes} bytes lists the files`);
  const list = parseJsonObject(body.subarray(0, end), maxValues);
  await checkMembers(listBody, list);
  const { files } = read(sentFilesSchema, list);
  if (new Set(files.map(({ path }) => path)).size < files.length) {
    throw refused("a path is in the list twice");
  }
  let start = end + 1;
  const found = files.map((file) => {
    const bytes = body.subarray(start, start + file.size);
    start += file.size;
    return { ...file, bytes };
  });
  if (start !== body.length) {
    throw refused(`${body.length - end - 1} of ${start - end - 1} bytes of files arrived`);
  }
  return found;
}

/**
 * Writes the files of a request below a folder, each as an upload of its own: one that is refused
 * keeps none of the others.
 */
export async function writeFiles(
  ctx: Context<State>,
  folder: EntryPath,
  files: readonly WholeFile[],
): Promise<ReceivedFile[]> {
  const access = accessFor(ctx);
  const received: ReceivedFile[] = [];
  const write = async (file: WholeFile, index: number) => {
    try {
      const etag = await writeOne(ctx, access, folder, file);
      received[index] = { status: 200, etag };
    } catch (error) {
      const { code, message } = refusalOf(error, ctx.req);
      if (!(error instanceof DomainError)) {
        ctx.state.cubby.log.line(`Cannot upload: ${error}`, "error");
      }
      received[index] = { status: statusOf(code), code, message };
    }
  };
  await eachAtOnce(files.entries(), atOnce, ([index, file]) => write(file, index), ctx.req.signal);
  ctx.req.signal.throwIfAborted();
  return received;
}

async function writeOne(
  ctx: Context<State>,
  access: Access,
  folder: EntryPath,
  { bytes, modified: time, override, resent, sha256, ...asked }: WholeFile,
): Promise<string> {
  const { path: below, folder: isFolder } = parsePath(asked.path);
  const path = joinPaths(folder, below);
  if (isFolder) {
    access.create(path);
    const reason = "a path with a slash at its end is a folder's";
    throw new DomainError("invalid_path", `Cannot write "${path}": ${reason}`);
  }
  const modified = time === undefined ? undefined : readTime(String(time));
  if (sha256 !== undefined && sha256.toLowerCase() !== digestOf(bytes)) {
    throw new DomainError("checksum_mismatch", `Cannot write "${path}": checksum mismatch`);
  }
  const present = resent ? await sameFile(access, path, bytes, modified) : null;
  if (present !== null) return present;
  const body = {
    bytes: () => Promise.resolve(bytes),
    get body() {
      return new Blob([bytes]).stream();
    },
  };
  const options = { override, modified, expectedLength: bytes.length, signal: ctx.req.signal };
  return await writeFile(ctx, access, path, body, notedUpload(ctx, path), options);
}

/** The ETag of the file that is at a path, if it has the same bytes and time; else null. */
async function sameFile(
  access: Access,
  path: EntryPath,
  bytes: Uint8Array,
  modified: number | undefined,
): Promise<string | null> {
  return await unlessRefused(async () => {
    access.create(path);
    const { file, size, modified: time, etag } = await openContent(access, path);
    using _ = file;
    const isLike = size === bytes.length && (modified ?? time.getTime()) === time.getTime();
    if (!isLike) return null;
    const present = await new Response(file.readable).bytes();
    return Buffer.compare(present, bytes) === 0 ? etag : null;
  });
}

function digestOf(bytes: Uint8Array): string {
  return createHash("sha256").update(bytes).digest("hex");
}

function refused(reason: string): DomainError {
  return new DomainError("invalid_body", `Cannot read the request: ${reason}`);
}
