/** An entry that was found. */
export interface SearchHit {
  /** From the folder that was searched, without a slash before it. */
  path: string;
  /** Whether it is a folder. */
  dir: boolean;
}

/**
 * Reads the lines of an answer in NDJSON as they come: what one piece of the answer completes is
 * handed over together.
 *
 * @throws SyntaxError when a line is no JSON; whatever reading the answer throws
 */
export async function* readHits(
  body: ReadableStream<Uint8Array<ArrayBuffer>>,
): AsyncGenerator<SearchHit[]> {
  let rest = "";
  for await (const text of body.pipeThrough(new TextDecoderStream())) {
    const lines = (rest + text).split("\n");
    rest = lines.pop() ?? "";
    const hits = hitsOf(lines);
    if (hits.length > 0) yield hits;
  }
  const last = hitsOf([rest]);
  if (last.length > 0) yield last;
}

function hitsOf(lines: readonly string[]): SearchHit[] {
  return lines.filter((line) => line.trim() !== "").map((line) => JSON.parse(line) as SearchHit);
}
