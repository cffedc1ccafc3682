import { type EntryPath, ROOT } from "../../../../shared/path.ts";
import type { ArchiveApi } from "../archive/archive_contents.ts";

/** Most parts and folders of a book that are looked at, and rows that are read at a time. */
const MOST_PARTS = 20_000;
const MOST_FOLDERS = 500;
const ROWS = 10_000;

/** The parts of a book's archive, which are found as readers of books find them. */
export class BookParts {
  readonly #sizes: ReadonlyMap<string, number>;
  readonly #folded = new Map<string, string>();
  readonly #isWhole: boolean;

  /**
   * @param sizes in bytes, by path
   * @param isWhole false where there may be other parts
   */
  constructor(sizes: ReadonlyMap<string, number>, isWhole = true) {
    this.#sizes = sizes;
    this.#isWhole = isWhole;
    for (const path of sizes.keys()) {
      for (const key of [folded(path), folded(unescaped(path))]) {
        if (!this.#folded.has(key)) this.#folded.set(key, path);
      }
    }
  }

  /** All paths. */
  get paths(): string[] {
    return [...this.#sizes.keys()];
  }

  /**
   * The path of a part as the archive spells it: of another case, with accents composed otherwise,
   * or with a literal "%20".
   *
   * @returns null where there is none
   */
  find(path: string): string | null {
    if (this.#sizes.has(path)) return path;
    return this.#folded.get(folded(path)) ?? (this.#isWhole ? null : path);
  }

  /** How many bytes a part has; 0 where that is not known. */
  sizeOf(path: string): number {
    return this.#sizes.get(path) ?? 0;
  }
}

/**
 * Lists the parts of a book, folder by folder.
 *
 * @returns null where it is no archive
 */
export async function listParts(
  api: Pick<ArchiveApi, "list">,
  archive: EntryPath,
  signal: AbortSignal,
): Promise<BookParts | null> {
  const sizes = new Map<string, number>();
  let waiting: EntryPath[] = [ROOT];
  let folders = 0;
  while (waiting.length > 0 && folders < MOST_FOLDERS && sizes.size < MOST_PARTS) {
    folders += waiting.length;
    const below: EntryPath[] = [];
    for (const inside of waiting) {
      const window = { inside, offset: 0, limit: ROWS, sorting: null };
      let answer = await api.list(archive, window, signal);
      while (answer.ok && "reading" in answer.value) {
        answer = await api.list(archive, window, signal);
      }
      if (!answer.ok || "reading" in answer.value) {
        return inside === ROOT ? null : new BookParts(sizes, false);
      }
      for (const { kind, path, size } of answer.value.items) {
        if (kind === "folder") below.push(path as EntryPath);
        else if (kind === "file") sizes.set(path, size);
      }
    }
    waiting = below;
  }
  return new BookParts(sizes, waiting.length === 0);
}

/**
 * The path of a part that another one names, without its fragment; null for what lies elsewhere. A
 * "%" that begins no escape stands for itself.
 *
 * @param from the path of the part that names it
 */
export function resolvePart(from: string, address: string): string | null {
  if (/^[a-z][a-z0-9+.-]*:/i.test(address) || address.startsWith("//")) return null;
  const base = `http://book.invalid${from.split("/").map(encodeURIComponent).join("/")}`;
  try {
    const { origin, pathname } = new URL(address, base);
    return origin === "http://book.invalid" ? unescaped(pathname) : null;
  } catch {
    return null;
  }
}

function unescaped(path: string): string {
  return path.replace(/(?:%[0-9a-f]{2})+/gi, (escapes) => {
    try {
      return decodeURIComponent(escapes);
    } catch {
      return escapes;
    }
  });
}

function folded(path: string): string {
  return path.normalize("NFC").toLowerCase().normalize("NFC");
}
