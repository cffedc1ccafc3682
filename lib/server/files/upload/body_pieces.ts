/** The bytes of an upload as they come. */
export type Body = ReadableStream<Uint8Array<ArrayBuffer>>;

/**
 * Reads a body in pieces, in two buffers that take turns: while one piece is written, the next one
 * arrives. Bodies of requests are received right into the buffers. A piece is handed on as soon as
 * it has come, so that few bytes are lost when the connection breaks.
 *
 * @param pieceBytes the length of a buffer
 * @param take is called with each piece after the one before; the piece is its own until it ends
 * @param signal ends the reading: its reason is thrown
 * @throws what the body and `take` throw, when no call of `take` is under way any more
 */
export async function eachPiece(
  body: Body | null,
  pieceBytes: number,
  take: (piece: Uint8Array<ArrayBuffer>) => Promise<void>,
  signal?: AbortSignal,
): Promise<void> {
  if (!body) return;
  const reader = readerOf(body);
  // A pending read ends with it.
  const cancel = (reason: unknown) => void reader.cancel(reason).catch(() => {});
  const abort = () => cancel(signal?.reason);
  signal?.addEventListener("abort", abort);
  let taking = Promise.resolve(new ArrayBuffer(pieceBytes));
  try {
    signal?.throwIfAborted();
    for (let buffer = new ArrayBuffer(pieceBytes);;) {
      const { value: piece, done } = await reader.read(new Uint8Array(buffer));
      buffer = await taking;
      if (done) break;
      taking = take(piece).then(() => piece.buffer);
      taking.catch(cancel);
    }
    signal?.throwIfAborted();
  } catch (error) {
    cancel(error);
    await taking.catch(() => {});
    throw error;
  } finally {
    signal?.removeEventListener("abort", abort);
  }
}

/** Reads the next bytes, into a buffer if it can. */
interface Reader {
  read(into: Uint8Array<ArrayBuffer>): Promise<ReadableStreamReadResult<Uint8Array<ArrayBuffer>>>;
  cancel(reason: unknown): Promise<void>;
}

/** Streams that are made by the server itself give buffers of their own. */
function readerOf(body: Body): Reader {
  try {
    return body.getReader({ mode: "byob" });
  } catch {
    return body.getReader();
  }
}
