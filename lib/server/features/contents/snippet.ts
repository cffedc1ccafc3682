import { type Phrase, spelled } from "./phrases.ts";
import { eachWord } from "./words.ts";

/** The excerpt of a text around its hits. */
export interface Snippet {
  /** Pieces of the text: the second, the fourth and so on are hits. */
  snippet: string[];
  /** The line of the first hit shown, from 1. */
  line: number;
  /** Whether all phrases are there as they were typed, accents included. */
  isExact: boolean;
}

/** The length of a snippet, in UTF-16 units. */
const length = 180;

/** Most characters before the first hit. */
const lead = 30;

/** Most hits that are compared to find the best snippet. */
const maxHits = 200;

interface Hit {
  start: number;
  end: number;
  /** The index of its phrase. */
  phrase: number;
}

/**
 * Makes the snippet of a text: the part with the most different phrases, the first of such parts.
 *
 * @returns null when not all phrases are in the text
 */
export function snippetOf(text: string, phrases: readonly Phrase[]): Snippet | null {
  const hits = hitsIn(text, phrases);
  if (hits === null) return null;
  const best = bestOf(hits);
  const from = startBefore(text, best.start);
  const to = endAfter(text, Math.max(best.end, from + length));
  const pieces: string[] = [from > 0 ? "…" : ""];
  let at = from;
  const put = (end: number, isHit: boolean) => {
    const piece = plain(text.slice(at, end));
    if (isHit) pieces.push(piece, "");
    else pieces[pieces.length - 1] += piece;
    at = end;
  };
  for (const { start, end } of hits) {
    if (start < at || end > to) continue;
    put(start, false);
    put(end, true);
  }
  put(to, false);
  if (to < text.length) pieces[pieces.length - 1] += "…";
  return { snippet: pieces, line: lineAt(text, best.start), isExact: isExact(text, hits, phrases) };
}

function isExact(text: string, hits: readonly Hit[], phrases: readonly Phrase[]): boolean {
  const missing = new Set(phrases.keys());
  for (const { start, end, phrase } of hits) {
    if (!missing.has(phrase)) continue;
    const { typed = "", isOpen } = phrases[phrase] ?? {};
    const written = spelled(text.slice(start, end));
    if (isOpen ? written.startsWith(typed) : written === typed) missing.delete(phrase);
  }
  return missing.size === 0;
}

/** The hits in their order; null when a phrase has none. */
function hitsIn(text: string, phrases: readonly Phrase[]): Hit[] | null {
  const hits: Hit[] = [];
  const missing = new Set(phrases.keys());
  const longest = Math.max(...phrases.map(({ words }) => words.length));
  const recent: string[] = [];
  const starts: number[] = [];
  eachWord(text, (word, start, end) => {
    recent.push(word);
    starts.push(start);
    if (recent.length > longest) {
      recent.shift();
      starts.shift();
    }
    for (const [index, phrase] of phrases.entries()) {
      if (hits.length >= maxHits && !missing.has(index)) continue;
      const first = recent.length - phrase.words.length;
      if (first < 0 || !endsWith(recent, first, phrase)) continue;
      hits.push({ start: starts[first] ?? start, end, phrase: index });
      missing.delete(index);
    }
    if (hits.length >= maxHits && missing.size === 0) return false;
  });
  return missing.size > 0 ? null : hits.sort((a, b) => a.start - b.start);
}

function endsWith(recent: readonly string[], first: number, { words, isOpen }: Phrase): boolean {
  const last = words.length - 1;
  return words.every((word, index) => {
    const seen = recent[first + index] ?? "";
    return seen === word || (isOpen && index === last && seen.startsWith(word));
  });
}

/** The hit at which the part with the most different phrases begins. */
function bestOf(hits: readonly Hit[]): Hit {
  let best = { hit: hits[0] ?? { start: 0, end: 0, phrase: 0 }, count: 0 };
  for (const [index, hit] of hits.entries()) {
    const seen = new Set<number>();
    for (let next = index; next < hits.length; next++) {
      const { phrase, end } = hits[next] ?? hit;
      if (end > hit.start + length - lead) break;
      seen.add(phrase);
    }
    if (seen.size > best.count) best = { hit, count: seen.size };
  }
  return best.hit;
}

/** Where a snippet begins: some words before a hit, not within a word. */
function startBefore(text: string, hit: number): number {
  const earliest = Math.max(0, hit - lead);
  if (earliest === 0) return 0;
  const space = text.slice(earliest, hit).search(/\s/);
  return space === -1 ? hit : earliest + space + 1;
}

function endAfter(text: string, max: number): number {
  if (max >= text.length) return text.length;
  const space = /\s\S*$/.exec(text.slice(Math.max(0, max - lead), max));
  const end = space ? max - space[0].length : max;
  // Not within a surrogate pair.
  return /[\udc00-\udfff]/.test(text[end] ?? "") ? end + 1 : end;
}

/**
 * A piece for a line on the screen: white space becomes one space; control characters, and those
 * that turn the direction of what follows, are left out.
 */
function plain(text: string): string {
  return text.replace(/(?![\s\u0085])[\p{Cc}\u200e\u200f\u061c\u202a-\u202e\u2066-\u2069]/gu, "")
    .replace(/[\s\u0085]+/gu, " ").toWellFormed();
}

function lineAt(text: string, position: number): number {
  let line = 1;
  for (let at = text.indexOf("\n"); at >= 0 && at < position; at = text.indexOf("\n", at + 1)) {
    line++;
  }
  return line;
}
