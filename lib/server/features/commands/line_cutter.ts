/** The longest line that is sent in one piece, in characters. */
const maxLineLength = 4_096;

/**
 * Cuts output into lines as it comes. Bytes that are not UTF-8 become U+FFFD; a line that does not
 * end is cut every 4,096 characters, never within a character.
 */
export class LineCutter {
  readonly #decoder = new TextDecoder();
  #rest = "";

  /** The lines that these bytes complete. */
  push(bytes: Uint8Array): string[] {
    return this.#cut(this.#decoder.decode(bytes, { stream: true }));
  }

  /** The unfinished last line when the output has ended, or nothing. */
  end(): string[] {
    const lines = this.#cut(this.#decoder.decode());
    if (this.#rest !== "") lines.push(withoutReturn(this.#rest));
    this.#rest = "";
    return lines;
  }

  #cut(text: string): string[] {
    const pieces = (this.#rest + text).split("\n");
    const rest = pieces.pop() ?? "";
    const lines = pieces.flatMap((line) => [...chunksOf(withoutReturn(line))]);
    const chunks = [...chunksOf(rest)];
    this.#rest = chunks.pop() ?? "";
    return [...lines, ...chunks];
  }
}

function withoutReturn(line: string): string {
  return line.endsWith("\r") ? line.slice(0, -1) : line;
}

/** A line in pieces; an empty line is one piece. */
function* chunksOf(line: string): Generator<string> {
  let start = 0;
  while (line.length - start > maxLineLength) {
    const isPair = (line.charCodeAt(start + maxLineLength - 1) & 0xfc00) === 0xd800;
    const end = start + maxLineLength - (isPair ? 1 : 0);
    yield line.slice(start, end);
    start = end;
  }
  yield line.slice(start);
}
