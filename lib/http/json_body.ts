import { DomainError } from "../errors.ts";

/** How much JSON is read, and how long it may take to arrive. */
export interface JsonLimits {
  /** In bytes; 1 MiB unless said otherwise. */
  bytes?: number;
  /** In milliseconds; half a minute unless said otherwise. */
  milliseconds?: number;
}

/**
 * Reads a request's body as JSON under a limit of bytes and of time, also when it comes in chunks
 * without a length. Neither a huge body nor one that trickles in for ever holds anything for long.
 *
 * @throws DomainError `body_too_large`; `invalid_json`; `invalid_body` when it does not come in time
 */
export async function readJson(req: Request, limits: JsonLimits = {}): Promise<unknown> {
  const { bytes = 1024 * 1024, milliseconds = 30_000 } = limits;
  if (Number(req.headers.get("content-length") ?? 0) > bytes) throw tooLarge(bytes);

  const body = await readBody(req, bytes, milliseconds);
  try {
    return JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(body));
  } catch {
    throw new DomainError("invalid_json", "Cannot read the request: its body is not valid JSON");
  }
}

/**
 * Reads a body that must be one JSON object.
 *
 * @throws DomainError as `readJson()`; `invalid_json` for any other value
 */
export async function readJsonObject(
  req: Request,
  limits?: JsonLimits,
): Promise<Record<string, unknown>> {
  const value = await readJson(req, limits);
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    throw new DomainError("invalid_json", "Cannot read the request: its body is not an object");
  }
  return value as Record<string, unknown>;
}

/**
 * A text field of a JSON object.
 *
 * @throws DomainError `invalid_json` when it is missing or not text
 */
export function textField(object: Record<string, unknown>, name: string): string {
  const value = Object.hasOwn(object, name) ? object[name] : undefined;
  if (typeof value === "string") return value;
  throw new DomainError("invalid_json", `Cannot read the request: "${name}" must be text`);
}

async function readBody(req: Request, limit: number, milliseconds: number): Promise<Uint8Array> {
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
      if (length > limit) throw tooLarge(limit);
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

function joined(chunks: Uint8Array[], length: number): Uint8Array {
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
