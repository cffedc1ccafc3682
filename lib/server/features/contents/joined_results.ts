type Bytes = Uint8Array<ArrayBuffer>;

/** Makes a stream of results, once those before it are read. */
export type NextResults = () => Promise<ReadableStream<Bytes>>;

/**
 * Joins results, one JSON object a line: each search begins when the one before it is over. A reader
 * who leaves cancels the one under way.
 *
 * @throws what the first search throws
 */
export async function joined(searches: readonly NextResults[]): Promise<ReadableStream<Bytes>> {
  const waiting = [...searches];
  let reader = (await waiting.shift()?.())?.getReader();
  return new ReadableStream<Bytes>({
    async pull(controller) {
      while (reader) {
        const { done, value } = await reader.read();
        if (!done) return controller.enqueue(value);
        reader = (await waiting.shift()?.())?.getReader();
      }
      controller.close();
    },
    cancel: (reason) => reader?.cancel(reason),
  });
}

const newline = 0x0a;

/** Turns lines of JSON into one array. */
export function asArray(lines: ReadableStream<Bytes>): ReadableStream<Bytes> {
  const encoder = new TextEncoder();
  let isBegun = false;
  // A line's end becomes a comma once something follows it.
  let isPending = false;
  return lines.pipeThrough(
    new TransformStream<Bytes, Bytes>({
      transform(part, controller) {
        if (part.length === 0) return;
        if (!isBegun) controller.enqueue(encoder.encode("["));
        else if (isPending) controller.enqueue(encoder.encode(","));
        isBegun = true;
        isPending = part.at(-1) === newline;
        const whole = isPending ? part.subarray(0, -1) : part;
        controller.enqueue(whole.map((byte) => byte === newline ? 0x2c : byte));
      },
      flush: (controller) => controller.enqueue(encoder.encode(isBegun ? "]" : "[]")),
    }),
  );
}
