import { DomainError } from "../../../../shared/errors.ts";
import { earliestTime, latestTime } from "../../../../shared/time.ts";
import { wholeNumber } from "../../../../shared/whole_number.ts";
import type { PartBody } from "../../../files/upload/part_file.ts";
import type { UploadState } from "../../../files/upload/upload_parts.ts";
import { type CallHandler, wrapped } from "../../calls.ts";
import { errorResponse } from "../../response/error_response.ts";

/*
 * The headers of resumable uploads (tus 1.0.0, https://tus.io/protocols/resumable-upload). Cubby
 * answers them itself: npm's @tus/server has no checksums, names uploads itself, and writes errors
 * of its own form past the gate.
 */

const version = "1.0.0";

/** The headers that describe the protocol, in answers to OPTIONS. */
const abilities = {
  "tus-version": version,
  "tus-extension": "creation,creation-with-upload,termination,checksum,expiration",
  "tus-checksum-algorithm": "md5,sha1,sha256",
};

const algorithms = abilities["tus-checksum-algorithm"].split(",");

/** The media type of a part. */
const partType = "application/offset+octet-stream";

/** Refuses another version of the protocol. Clients that name none are taken for this one. */
function checkTusVersion({ headers }: Request): void {
  const given = headers.get("tus-resumable");
  if (given === null || given === version) return;
  throw new DomainError("precondition_failed", `Cannot speak tus ${given}: expected ${version}`);
}

/** Adds the headers that every answer about a resumable upload has. */
function withTusHeaders(answer: Response, method: string): Response {
  answer.headers.set("tus-resumable", version);
  if (answer.status === 412) answer.headers.set("tus-version", version);
  if (method === "OPTIONS") {
    for (const [name, value] of Object.entries(abilities)) answer.headers.set(name, value);
  }
  return answer;
}

/** The headers that tell the state of an upload. */
export function stateHeaders({ offset, length, expires, etag }: UploadState): HeadersInit {
  return {
    "upload-offset": String(offset),
    "upload-length": String(length),
    ...etag === undefined ? { "upload-expires": new Date(expires).toUTCString() } : { etag },
  };
}

/**
 * Reads the length of an upload, in bytes.
 *
 * @throws DomainError `invalid_option`, also where the client wants to tell it later
 */
export function uploadLength({ headers }: Request): number {
  return readNumber(headers.get("upload-length") ?? "", "Upload-Length");
}

/**
 * Reads the time of a file out of `Upload-Metadata`: `lastModified`, in milliseconds since 1970.
 *
 * @throws DomainError `invalid_option` for malformed metadata
 */
export function metadataTime(req: Request): number | undefined {
  const time = metadataOf(req).get("lastModified");
  return time === undefined ? undefined : readTime(decode(time, "Upload-Metadata"));
}

/**
 * Reads a text out of `Upload-Metadata`; "" when it is missing.
 *
 * @throws DomainError `invalid_option` for malformed metadata, and for what is no UTF-8
 */
export function metadataText(req: Request, name: "filename" | "sender"): string {
  try {
    const bytes = decode(metadataOf(req).get(name) ?? "", "Upload-Metadata");
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    throw malformedError("Upload-Metadata");
  }
}

function metadataOf({ headers }: Request): Map<string, string> {
  const text = headers.get("upload-metadata") ?? "";
  const pairs = text.split(",").map((pair) => pair.trim()).filter(Boolean).map((pair) => {
    const [, key, value = ""] = /^([^\s,]+)(?: ([\w+/]*={0,2}))?$/.exec(pair) ?? [];
    if (key === undefined) throw malformedError("Upload-Metadata");
    return [key, value] as const;
  });
  const metadata = new Map(pairs);
  if (metadata.size !== pairs.length) throw malformedError("Upload-Metadata");
  return metadata;
}

/** Reads `?modified=`, the time of a file that is sent whole, in milliseconds since 1970. */
export function modifiedOption(query: URLSearchParams): number | undefined {
  const text = query.get("modified");
  return text === null || text === "" ? undefined : readTime(text);
}

/**
 * Reads the next bytes of an upload.
 *
 * @param offset where they begin, unless the header says so
 * @throws DomainError `wrong_content_type`, `invalid_option`
 */
export function partBody(req: Request, offset?: number): PartBody {
  const type = (req.headers.get("content-type") ?? "").split(";")[0]?.trim().toLowerCase();
  if (type !== partType) {
    throw new DomainError("wrong_content_type", `Cannot take "${type}": expected ${partType}`);
  }
  const length = req.headers.get("content-length");
  return {
    body: req.body,
    offset: offset ?? readNumber(req.headers.get("upload-offset") ?? "", "Upload-Offset"),
    expectedLength: length === null ? undefined : Number(length),
    checksum: checksumOf(req.headers),
    signal: req.signal,
  };
}

/** Whether a request to begin an upload brings its first bytes. */
export function bringsBytes({ headers }: Request): boolean {
  return (headers.get("content-type") ?? "").startsWith(partType);
}

/**
 * Adds the bytes that a request to begin an upload brings. A client that is refused does not learn
 * the address of the upload, so it is dropped.
 */
export async function addFirst<T>(
  append: () => Promise<T>,
  drop: () => Promise<void>,
): Promise<T> {
  try {
    return await append();
  } catch (error) {
    await drop().catch(() => {});
    throw error;
  }
}

function checksumOf(headers: Headers): PartBody["checksum"] {
  const text = headers.get("upload-checksum");
  if (text === null) return undefined;
  const [algorithm = "", value = ""] = text.split(" ");
  if (!algorithms.includes(algorithm)) {
    throw new DomainError(
      "invalid_option",
      `Cannot compute "${algorithm}": expected one of ${algorithms.join(", ")}`,
    );
  }
  return { algorithm, digest: decode(value, "Upload-Checksum") };
}

function readNumber(text: string, name: string): number {
  const number = wholeNumber(text);
  if (number !== undefined) return number;
  throw new DomainError("invalid_option", `Cannot read ${name}: expected a number of bytes`);
}

/**
 * Reads the time of a file, in milliseconds since 1970.
 *
 * @throws DomainError `invalid_option`
 */
export function readTime(text: string | Uint8Array): number {
  const digits = typeof text === "string" ? text : new TextDecoder().decode(text);
  const time = /^-?\d{1,15}$/.test(digits) ? Number(digits) : NaN;
  if (time >= earliestTime && time <= latestTime) return time;
  throw new DomainError(
    "invalid_option",
    "Cannot set the time of the file: expected milliseconds since 1970",
  );
}

function decode(base64: string, name: string): Uint8Array {
  try {
    return Uint8Array.fromBase64(base64);
  } catch {
    throw malformedError(name);
  }
}

function malformedError(name: string): DomainError {
  return new DomainError("invalid_option", `Cannot read ${name}: it is malformed`);
}

/** A handler with the headers that every answer of the tus protocol has, refusals included. */
export function byTus(handler: CallHandler): CallHandler {
  return wrapped(handler, async (ctx, answer) => {
    try {
      checkTusVersion(ctx.req);
      return withTusHeaders(await answer(ctx), ctx.req.method);
    } catch (error) {
      if (!(error instanceof DomainError)) throw error;
      return withTusHeaders(errorResponse(error, ctx.req), ctx.req.method);
    }
  });
}
