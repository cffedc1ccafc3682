import { DomainError } from "../../../shared/errors.ts";

/** Limits for reading a request body. */
export interface BodyLimits {
  /** In bytes; default 1 MiB. */
  bytes?: number;
  /** In milliseconds; default 30 s. */
  milliseconds?: number;
}

/**
 * Reads a request's body with a size limit and a timeout, also without a `Content-Length`, so that
 * neither a huge nor a slow body (slowloris) holds resources for long.
 *
 * @throws DomainError `body_too_large`; `invalid_body` when it is cut off or times out
 */
export async function readBody(
  req: Request,
  { bytes = 1024 * 1024, milliseconds = 30_000 }: BodyLimits = {},
): Promise<Uint8Array<ArrayBuffer>> {
  if (Number(req.headers.get("content-length") ?? 0) > bytes) throw tooLarge(bytes);
  const reader = req.body?.getReader();
  if (!reader) return new Uint8Array();

  let late = false;
  const timer = setTimeout(() => {
    late = true;
    reader.cancel().catch(() => {});
  }, milliseconds);
  try {
    const chunks: Uint8Array[] = [];
    let length = 0;
    for (let next = await reader.read(); !next.done; next = await reader.read()) {
      length += next.value.byteLength;
      if (length > bytes) throw tooLarge(bytes);
      chunks.push(next.value);
    }
    if (late) throw new Error("late");
    return joined(chunks, length);
  } catch (error) {
    if (error instanceof DomainError) {
      await reader.cancel().catch(() => {});
      throw error;
    }
    const reason = late ? "it took too long to arrive" : "it was cut off";
    throw new DomainError("invalid_body", `Cannot read the request: ${reason}`);
  } finally {
    clearTimeout(timer);
  }
}

function joined(chunks: Uint8Array[], length: number): Uint8Array<ArrayBuffer> {
  const whole = new Uint8Array(length);
  let offset = 0;
  for (const chunk of chunks) {
    whole.set(chunk, offset);
    offset += chunk.byteLength;
  }
  return whole;
}

function tooLarge(limit: number): DomainError {
  return new DomainError(
    "body_too_large",
    `Cannot read the request: its body is over ${limit} bytes`,
  );
}
