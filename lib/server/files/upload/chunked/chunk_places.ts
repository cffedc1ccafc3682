import { DomainError } from "../../../../shared/errors.ts";
import { ROOT } from "../../../../shared/path.ts";
import { type ChunkPlace, lengthOf, unknownLength, type UploadPart } from "../upload_parts.ts";

/** Most chunks of one upload. */
const maxChunks = 10_000;

/** A chunk that is to be written. */
export interface NamedChunk {
  /** Digits, or two such with a dash between them. */
  name: string;
  /** In bytes. */
  length: number;
  /** Where in the file the client says that it begins. Only the order of the names counts. */
  offset?: number;
}

/**
 * Where in the file of an upload a chunk is written.
 *
 * @param others all other chunks that have come or are being written
 * @throws {DomainError} `body_too_large`
 */
export function placeChunk(
  part: UploadPart,
  others: readonly ChunkPlace[],
  chunk: NamedChunk,
): ChunkPlace {
  const length = lengthOf(part);
  if (others.length >= maxChunks) {
    throw new DomainError("body_too_large", `${actionOn(part)}: over ${maxChunks} chunks`);
  }
  if (totalLength(others) + chunk.length > length) {
    const reason = `it is longer than the ${part.announced} bytes announced`;
    throw new DomainError("body_too_large", `${actionOn(part)}: ${reason}`);
  }
  return placeFor(chunk, others, length);
}

/** The action that a refusal of a chunk names. */
export function actionOn({ path }: UploadPart): string {
  return path === ROOT ? "Cannot write the chunk" : `Cannot write "${path}"`;
}

/** The chunks that are being written, in the order of their start. */
export function writtenNow({ writers = [] }: UploadPart): ChunkPlace[] {
  return writers.flatMap(({ chunk }) => chunk ?? []);
}

/** The length of all chunks, in bytes. */
export function totalLength(chunks: readonly ChunkPlace[]): number {
  return chunks.reduce((sum, { length }) => sum + length, 0);
}

/** Whether each chunk begins where the one before it ends. */
export function isContiguous(chunks: readonly ChunkPlace[]): boolean {
  let end = 0;
  return chunks.every(({ start, length }) => {
    const isNext = start === end;
    end += length;
    return isNext;
  });
}

/**
 * Where the client says, where the name says, behind the chunk before it, or where it would be if
 * all had the same length. Behind all others where that is taken, or beyond the end of the file:
 * then the chunks are copied in the end.
 */
function placeFor(
  { name, length, offset }: NamedChunk,
  others: readonly ChunkPlace[],
  maxLength: number,
): ChunkPlace {
  const end = others.reduce((last, each) => Math.max(last, each.start + each.length), 0);
  const start = offset ?? offsetIn(name) ?? expectedStart(name, length, others);
  // Without a length there would be no bound for holes.
  const isInside = maxLength === unknownLength ? start <= end : start + length <= maxLength;
  const isFree = others.every((each) =>
    start + length <= each.start || start >= each.start + each.length || each.length === 0
  );
  return { name, start: isInside && isFree ? start : end, length };
}

/** Fewest digits of a name that is an offset: some clients pad offsets to 15 or 16. */
const offsetDigits = 15;

function offsetIn(name: string): number | undefined {
  const [first = "", last] = name.split("-");
  return last !== undefined || first.length >= offsetDigits ? Number(first) : undefined;
}

function expectedStart(name: string, length: number, others: readonly ChunkPlace[]): number {
  const number = Number(name);
  const numbered = others.map((each) => ({ ...each, number: Number(each.name) }));
  const before = numbered.find((each) => each.number === number - 1);
  if (before) return before.start + before.length;
  const [first] = numbered.sort((a, b) => a.number - b.number);
  if (!first || first.number > number) return Math.max(0, number - 1) * length;
  return first.start + (number - first.number) * first.length;
}
