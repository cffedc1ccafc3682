import { DomainError } from "../../../shared/errors.ts";

/** How much of a body is read, and how long it may take to arrive. */
export interface BodyLimits {
  /** In bytes; 1 MiB unless said otherwise. */
  bytes?: number;
  /** In milliseconds; half a minute unless said otherwise. */
  milliseconds?: number;
}

/**
 * Reads a request's body under a limit of bytes and of time, also when it comes in chunks without a
 * length. Neither a huge body nor one that trickles in for ever holds anything for long.
 *
 * @throws DomainError `body_too_large`; `invalid_body` when it is cut off or does not come in time
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
