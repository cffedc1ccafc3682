/**
 * Reads objects that come as JSON, one a line. What comes together is one array, so that a reader
 * can show it together.
 */
export async function* readJsonLines<T>(
  stream: ReadableStream<Uint8Array<ArrayBuffer>>,
): AsyncGenerator<T[]> {
  let pending = "";
  for await (const text of stream.pipeThrough(new TextDecoderStream())) {
    const lines = (pending + text).split("\n");
    pending = lines.pop() ?? "";
    yield lines.filter(Boolean).map((line) => JSON.parse(line) as T);
  }
}
