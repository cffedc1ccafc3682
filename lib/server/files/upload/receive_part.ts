import { createHash } from "node:crypto";
import { DomainError } from "../../../shared/errors.ts";
import { IdleTimeout, maxStallMs } from "./idle_timeout.ts";
import type { Body, TemporaryFile } from "./temporary_file.ts";
import type { UploadPart } from "./upload_parts.ts";

/** The next bytes of a resumable upload. */
export interface PartBody {
  body: Body | null;
  /** Where in the file they begin. */
  offset: number;
  /** Their number, if it is known. */
  expectedLength?: number;
  /** Their expected digest; without it all bytes that came count, also when they break off. */
  checksum?: { algorithm: string; digest: Uint8Array };
  signal?: AbortSignal;
}

/** Called while the bytes of a part come. */
export interface PartSteps {
  /** Before bytes are written, with the size that the file has then; throws to refuse them. */
  admit(size: number): Promise<void>;
  /** Aborted with a DomainError when the bytes must end. */
  signal: AbortSignal;
}

/**
 * Writes the bytes of a part to its file.
 *
 * @throws {DomainError} `body_too_large`, `invalid_body` when they break off, `checksum_mismatch`,
 * `disk_full`, and what the steps throw
 */
export async function receivePart(
  temporary: TemporaryFile,
  { length }: UploadPart,
  { body, offset, expectedLength, checksum, signal }: PartBody,
  { admit, signal: ending }: PartSteps,
  action: string,
): Promise<void> {
  const remaining = length - offset;
  const tooLargeError = () =>
    new DomainError("body_too_large", `${action}: it is longer than the ${length} bytes announced`);
  if ((expectedLength ?? 0) > remaining) throw tooLargeError();
  const hash = checksum && createHash(checksum.algorithm);
  let count = 0;
  const checked = body?.pipeThrough(
    new TransformStream<Uint8Array<ArrayBuffer>, Uint8Array<ArrayBuffer>>({
      async transform(chunk, controller) {
        count += chunk.length;
        if (count > remaining) return controller.error(tooLargeError());
        await admit(offset + count);
        hash?.update(chunk);
        controller.enqueue(chunk);
      },
    }),
  );
  const ends = signal ? AbortSignal.any([signal, ending]) : ending;
  using watch = new IdleTimeout(() => count, maxStallMs, ends);
  try {
    const options = { start: offset, expectedLength, signal: watch.signal };
    await temporary.fill(checked ?? null, action, options);
  } catch (error) {
    if (checksum || count > remaining) temporary.truncate(offset);
    throw ending.aborted ? ending.reason : error;
  }
  if (!checksum || !hash || isEqual(hash.digest(), checksum.digest)) return;
  temporary.truncate(offset);
  throw new DomainError("checksum_mismatch", `${action}: checksum mismatch`);
}

function isEqual(a: Uint8Array, b: Uint8Array): boolean {
  return a.length === b.length && a.every((byte, index) => byte === b[index]);
}
