/**
 * A stream of pages that are in memory. A page that was sent is freed at once: the garbage
 * collector sees only a small object for each megabyte, so they would pile up.
 *
 * @param pages consumed
 */
export function pageStream(
  pages: Uint8Array<ArrayBuffer>[],
): ReadableStream<Uint8Array<ArrayBuffer>> {
  let sent: Uint8Array<ArrayBuffer> | undefined;
  const free = () => sent?.buffer.transfer(0);
  return new ReadableStream({
    pull(controller) {
      free();
      sent = pages.shift();
      if (sent) controller.enqueue(sent);
      else controller.close();
    },
    cancel() {
      free();
      for (const { buffer } of pages.splice(0)) buffer.transfer(0);
    },
  }, { highWaterMark: 0 });
}

/** Size of a chunk, in bytes. */
const pieceSize = 64 * 1024;

/** The lengths of bodies that are in memory until they are sent, in bytes. */
const heldLengths = new WeakMap<ReadableStream, number>();

/**
 * Memory that a response holds as a stream of {@linkcode bytesBody}, in bytes; 0 for any other. Only
 * those have a `Content-Length` here: reading `body` makes a stream of a text, which is then sent
 * without its length.
 */
export function heldBy(response: Response): number {
  if (!response.headers.has("content-length") || response.body === null) return 0;
  return heldLengths.get(response.body) ?? 0;
}

/**
 * A body of bytes in memory: long ones as a stream of chunks with a `Content-Length`. With a stream
 * a slow client is noticed (back-pressure), while a body in one chunk counts as sent once it is
 * handed to the connection.
 *
 * @param headers gets the length
 */
export function bytesBody(bytes: Uint8Array<ArrayBuffer>, headers: Headers): BodyInit {
  if (bytes.length <= pieceSize) return bytes;
  headers.set("content-length", String(bytes.length));
  let sent = 0;
  const body = new ReadableStream<Uint8Array<ArrayBuffer>>({
    pull(controller) {
      const piece = bytes.subarray(sent, sent + pieceSize);
      sent += piece.length;
      if (piece.length > 0) controller.enqueue(piece);
      else controller.close();
    },
  }, { highWaterMark: 0 });
  heldLengths.set(body, bytes.length);
  return body;
}
