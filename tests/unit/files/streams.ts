/** Bodies of uploads that behave in every way a client can. */

/** A body that is cut into chunks. */
export function bodyOf(...chunks: string[]): ReadableStream<Uint8Array<ArrayBuffer>> {
  return ReadableStream.from(chunks.map((chunk) => new TextEncoder().encode(chunk)));
}

/** A body that gives some chunks and then breaks off. */
export function brokenBody(...chunks: string[]): ReadableStream<Uint8Array<ArrayBuffer>> {
  return new ReadableStream({
    pull(controller) {
      const chunk = chunks.shift();
      if (chunk === undefined) controller.error(new Error("connection reset"));
      else controller.enqueue(new TextEncoder().encode(chunk));
    },
  });
}

/** A body that waits in the middle until it is told how to go on. */
export function pausedBody(first: string, last: string) {
  const reached = Promise.withResolvers<void>();
  const go = Promise.withResolvers<void>();
  let step = 0;
  const body = new ReadableStream<Uint8Array<ArrayBuffer>>({
    async pull(controller) {
      if (step++ === 0) return controller.enqueue(new TextEncoder().encode(first));
      reached.resolve();
      await go.promise;
      controller.enqueue(new TextEncoder().encode(last));
      controller.close();
    },
  }, { highWaterMark: 0 });
  return { body, reached: reached.promise, finish: go.resolve };
}

/** A body of so many bytes that are all alike. */
export function bytesOf(size: number): ReadableStream<Uint8Array<ArrayBuffer>> {
  let left = size;
  return new ReadableStream({
    pull(controller) {
      if (left === 0) return controller.close();
      const length = Math.min(left, 65_536);
      left -= length;
      controller.enqueue(new Uint8Array(length).fill(120));
    },
  });
}
