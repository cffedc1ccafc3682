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
