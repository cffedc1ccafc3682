import { foldCase, foldText } from "../../../shared/fold.ts";
import { compareNames, nameKey } from "../../../shared/natural_order.ts";
import type { SearchHit, Terms } from "./search_query.ts";

/** An order of results: the best first, or A to Z, the largest or the latest first. */
export type SearchOrder = "relevance" | "name" | "size" | "modified";

/** The orders, as they are offered. */
export const SEARCH_ORDERS: readonly SearchOrder[] = ["relevance", "name", "modified", "size"];

/** A result with what it is ordered by. */
export interface RankedHit extends SearchHit {
  name: string;
  /** Whether it is not below the open folder. */
  elsewhere: boolean;
  /** How well the name fits, see {@linkcode rankerOf}; 0 is best. */
  fit: number;
  /** Its place among those found by their contents, from 1; 0 for one found by its name. */
  place: number;
  /** When it was taken, or else changed, in milliseconds since 1970. */
  time: number;
  /** The sort key of the name, once it was needed. */
  key?: string;
}

/** What is added to the fit of a name that does not have the words as they were typed. */
const INEXACT = 4;

/**
 * Prepares to complete the results of a search. How well a name fits the words:
 *
 * - 0: it is the words, with or without its extension
 * - 1: it begins with a word, and each other one begins a word in it
 * - 2: each word begins a word in it
 * - 3: a word is within another
 *
 * and 4 more where a word is there with other accents, or in another width.
 *
 * @returns completes a result in place: there may be very many
 */
export function rankerOf({ words, caseSensitive }: Terms): (hit: SearchHit) => RankedHit {
  const fold = caseSensitive ? composed : foldText;
  // What has no letters, such as an accent, folds to nothing.
  const wanted = words.map(fold).filter(Boolean);
  const exact = words.map(foldCase);
  const whole = wanted.join(" ");
  const foldedFit = (text: string): number => {
    if (text === whole || stemOf(text) === whole) return 0;
    if (!wanted.every((word) => beginsWord(text, word))) return 3;
    return wanted.some((word) => text.startsWith(word)) ? 1 : 2;
  };
  const fitOf = (name: string): number => {
    const written = foldCase(name);
    return foldedFit(fold(name)) + (exact.every((word) => written.includes(word)) ? 0 : INEXACT);
  };
  let place = 0;
  return (hit) => {
    const name = hit.path.slice(hit.path.lastIndexOf("/") + 1);
    const time = Date.parse(hit.taken ?? hit.modified ?? "") || 0;
    return Object.assign(hit, {
      ...{ name, time, fit: fitOf(name) },
      elsewhere: hit.path.startsWith("/"),
      place: hit.snippet ? ++place : 0,
    });
  };
}

function composed(text: string): string {
  return text.normalize("NFC");
}

function stemOf(name: string): string {
  const dot = name.lastIndexOf(".");
  return dot > 0 ? name.slice(0, dot) : name;
}

/**
 * Compares results for an order; never 0 for two of them. Those of the open folder come first, of
 * either those found by their names, in any order. The best come first: those that fit better, folders before files, the latest, and then
 * by name; of those found by their contents the order of the server. Folders have no size: by size
 * they come last.
 */
export function comparing(order: SearchOrder): (a: RankedHit, b: RankedHit) => number {
  const compare = comparingAlike(order);
  return (a, b) =>
    Number(a.elsewhere) - Number(b.elsewhere) || Math.sign(a.place) - Math.sign(b.place) ||
    compare(a, b);
}

function comparingAlike(order: SearchOrder): (a: RankedHit, b: RankedHit) => number {
  switch (order) {
    case "relevance":
      return (a, b) =>
        a.place - b.place || a.fit - b.fit || Number(b.dir) - Number(a.dir) || b.time - a.time ||
        byName(a, b);
    case "name":
      return byName;
    case "size":
      return (a, b) => sizeOf(b) - sizeOf(a) || byName(a, b);
    case "modified":
      return (a, b) => b.time - a.time || byName(a, b);
  }
}

function keyOf(hit: RankedHit): string {
  return hit.key ??= nameKey(hit.name);
}

function byName(a: RankedHit, b: RankedHit): number {
  const [keyA, keyB] = [keyOf(a), keyOf(b)];
  if (keyA !== keyB) return keyA < keyB ? -1 : 1;
  return compareNames(a.name, b.name) || (a.path < b.path ? -1 : Number(a.path > b.path));
}

function sizeOf({ dir, size = 0 }: RankedHit): number {
  return dir ? -1 : size;
}

const WORD = /[\p{L}\p{N}]/u;
const DIGIT = /\p{N}/u;

/** Whether a word stands in a text where a word or a number begins. */
function beginsWord(text: string, word: string): boolean {
  for (let at = text.indexOf(word); at >= 0; at = text.indexOf(word, at + 1)) {
    const [before, first] = [text[at - 1] ?? "", text[at] ?? ""];
    if (!WORD.test(before) || !WORD.test(first) || DIGIT.test(before) !== DIGIT.test(first)) {
      return true;
    }
  }
  return false;
}
