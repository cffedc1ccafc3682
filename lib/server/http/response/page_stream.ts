/**
 * A stream of pages that are there already. A page that has left is freed at once: left to the
 * collector, which sees but a small object in front of each megabyte, they pile up.
 *
 * @param pages is emptied
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

/** How much leaves at a time, in bytes. */
const pieceSize = 64 * 1024;

/**
 * Bytes that are there already as a body: long ones as a stream of pieces, with their length among
 * the headers. Of those a slow reader is noticed, while a body in one piece counts as sent when it
 * has been handed to the connection, however long it is.
 *
 * @param headers gets the length
 */
export function bytesBody(bytes: Uint8Array<ArrayBuffer>, headers: Headers): BodyInit {
  if (bytes.length <= pieceSize) return bytes;
  headers.set("content-length", String(bytes.length));
  let sent = 0;
  return new ReadableStream({
    pull(controller) {
      const piece = bytes.subarray(sent, sent + pieceSize);
      sent += piece.length;
      if (piece.length > 0) controller.enqueue(piece);
      else controller.close();
    },
  }, { highWaterMark: 0 });
}
