/** A kind of file to filter by. */
export type SearchType = "image" | "music" | "pdf" | "video";

/** The kinds, in display order. */
export const SEARCH_TYPES: readonly SearchType[] = ["image", "music", "pdf", "video"];

/** The longest text sent; the server takes 1,000 characters, kinds included. */
export const MAX_QUERY = 900;

/** The terms of a search that are matched against names. */
export interface Terms {
  words: readonly string[];
  caseSensitive: boolean;
}

/** A quoted phrase, whose closing quote may be missing; or a word. */
const WORDS = /"([^"]*)(?:"|$)|(\S+)/g;

/** The query to send: the typed text, and the chosen kinds, one of which must match. */
export function queryOf(text: string, types: Iterable<SearchType>): string {
  return [text.trim(), ...[...types].map((type) => `type:${type}`)].filter(Boolean).join(" ");
}

/** Whether a query would match nearly everything: one plain letter or digit. */
export function isTooShort(text: string): boolean {
  return /^[\x21-\x7e]$/.test(text.trim());
}

/** Whether a typed text is an empty query: no word, and no kind of file. */
export function isEmpty(text: string): boolean {
  return termsOf(text).words.length === 0 && !/(^|\s)type:\.*[^.\s"]/i.test(text);
}

/** The terms of a typed text; options such as `type:pdf` are left out. */
export function termsOf(text: string): Terms {
  const words: string[] = [];
  let caseSensitive = false;
  for (const [, phrase, word = ""] of text.matchAll(WORDS)) {
    const option = phrase === undefined ? word.toLowerCase() : "";
    if (option === "case:sensitive") caseSensitive = true;
    else if (option === "case:insensitive") caseSensitive = false;
    else if (!/^type:\.*[^.]/.test(option)) words.push(phrase ?? word);
  }
  return { words: words.filter((word) => word !== ""), caseSensitive };
}

/** A piece of a name; `hit` when it matches. */
export interface NamePart {
  text: string;
  hit: boolean;
}

/** Splits a name into matches and the rest. Joined, the pieces are the name. */
export function partsOf(name: string, { words, caseSensitive }: Terms): NamePart[] {
  const text = name.normalize("NFC");
  const folded = fold(text, caseSensitive);
  const marked = new Array<boolean>(text.length).fill(false);
  for (const word of words) {
    const wanted = fold(word.normalize("NFC"), caseSensitive).text;
    for (let at = folded.text.indexOf(wanted); at >= 0; at = folded.text.indexOf(wanted, at + 1)) {
      const end = at + wanted.length;
      marked.fill(true, folded.from[at], folded.from[end] ?? text.length);
    }
  }
  const parts: NamePart[] = [];
  let start = 0;
  for (let at = 1; at <= text.length; at++) {
    if (at < text.length && marked[at] === marked[start]) continue;
    parts.push({ text: text.slice(start, at), hit: marked[start] ?? false });
    start = at;
  }
  return parts;
}

/** A case-folded text, with the origin of each of its characters. */
function fold(text: string, caseSensitive: boolean): { text: string; from: number[] } {
  let folded = "";
  const from: number[] = [];
  let at = 0;
  for (const character of text) {
    const plain = caseSensitive ? character : foldCharacter(character);
    for (let unit = 0; unit < plain.length; unit++) from.push(at);
    folded += plain;
    at += character.length;
  }
  return { text: folded, from };
}

/** Via the upper case, which expands "ß"; both small sigmas become one. */
function foldCharacter(character: string): string {
  const plain = character.toLowerCase().toUpperCase().toLowerCase();
  return plain === "i\u0307" ? "i" : plain.replaceAll("ς", "σ");
}

/** An entry that was found. */
export interface SearchHit {
  /** Relative to the searched folder, without a leading slash. */
  path: string;
  /** Whether it is a folder. */
  dir: boolean;
}

/**
 * Streams the lines of an NDJSON answer; those completed by one chunk are passed on together.
 *
 * @throws SyntaxError when a line is no JSON; errors of reading the answer
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
