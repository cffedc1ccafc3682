import type { Context } from "fresh";
import { DomainError } from "../../../shared/errors.ts";
import { takeSlice } from "../../core/concurrency/body_slices.ts";
import type { State } from "../define.ts";
import type { BodyLimits } from "../openapi/json_body.ts";
import { receiveInBudget, reserveMemory } from "../middleware/heavy_answers.ts";
import type { EntryPath } from "../../../shared/path.ts";

/** The longest body of a request with a session, in bytes. */
const maxBodyBytes = 1024 * 1024;

/** The longest body of a request without a session, in bytes: a name, a password, an answer. */
const maxVisitorBodyBytes = 16 * 1024;

/**
 * Reads a request's body with a size limit and a timeout, also without a `Content-Length`, so that
 * neither a huge nor a slow body (slowloris) holds resources for long. Its memory is reserved
 * before it is read: what it announces, or the limit.
 *
 * @throws DomainError `body_too_large`; `invalid_body` when it is cut off or times out; `busy` when
 * the budget has no room
 */
export async function readBody(
  ctx: Context<State>,
  { bytes = limitFor(ctx), milliseconds = 30_000, held = 1 }: BodyLimits = {},
): Promise<Uint8Array<ArrayBuffer>> {
  const { body, headers } = ctx.req;
  const length = headers.get("content-length");
  const max = length !== null && /^\d+$/.test(length) ? Number(length) : bytes;
  if (max > bytes) throw tooLargeError(bytes);
  if (!body || max === 0) return new Uint8Array();
  const received = await receiveInBudget(ctx, max * held, () => receive(body, max, milliseconds));
  await reserveMemory(ctx, received.length * held);
  return received;
}

function limitFor({ state }: Context<State>): number {
  return state.signedIn ?? state.enrolling ? maxBodyBytes : maxVisitorBodyBytes;
}

/** @param max in bytes; the memory for them is taken at once, and touched as they arrive */
async function receive(
  body: ReadableStream<Uint8Array>,
  max: number,
  milliseconds: number,
): Promise<Uint8Array<ArrayBuffer>> {
  const reader = body.getReader();
  let late = false;
  const timer = setTimeout(() => {
    late = true;
    reader.cancel().catch(() => {});
  }, milliseconds);
  try {
    const whole = new Uint8Array(max);
    let length = 0;
    for (let next = await reader.read(); !next.done; next = await reader.read()) {
      if (length + next.value.length > max) throw tooLargeError(max);
      if (length > 0) await takeSlice();
      whole.set(next.value, length);
      length += next.value.length;
    }
    if (late) throw new Error("late");
    return length === max ? whole : whole.slice(0, length);
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

function tooLargeError(limit: number): DomainError {
  return new DomainError(
    "body_too_large",
    `Cannot read the request: its body is over ${limit} bytes`,
  );
}

/** The longest form that is read, in bytes: about 100,000 names of 40 letters. */
const maxBytes = 4 * 1024 * 1024;

/**
 * Reads the selected entries of a folder from a form, for selections longer than a URL may be. It is
 * parsed outside of the serving thread.
 *
 * @throws DomainError `body_too_large`; as `readForm()`
 */
export async function readPostedSelection(
  ctx: Context<State>,
  folder: EntryPath,
): Promise<EntryPath[]> {
  const body = await readBody(ctx, { bytes: maxBytes, milliseconds: 60_000 });
  const type = ctx.req.headers.get("content-type") ?? "";
  return await ctx.state.cubby.archives.readForm({ body, type, folder }, ctx.req.signal);
}
