import type { FolderHandle } from "../../core/access/folder_handle.ts";
import { virtualTop } from "../../core/access/names.ts";
import { inflateRawSync } from "node:zlib";
import type { Access } from "../../core/access/access.ts";
import type { FileHandle } from "../../core/access/file_handle.ts";
import { pathBelow } from "../../core/disk/real_path.ts";
import type { SearchResult } from "../../../shared/schemas/entry.ts";
import { delay } from "../../../shared/delay.ts";
import { unlessRefused } from "../../../shared/unless_refused.ts";
import { DomainError } from "../../../shared/errors.ts";
import { childrenOf, type EntryPath, isInside, relativePath } from "../../../shared/path.ts";
import { Pauses } from "../../core/concurrency/pauses.ts";
import type { StreamCall } from "../../core/concurrency/serve_worker.ts";
import { typeOfName } from "../../files/content/types.ts";
import { isoText } from "../../files/listing/entries.ts";
import { wallClock } from "../../files/listing/taken_order.ts";
import { isInRange, nameTestOf } from "../../files/search/query.ts";
import { Results } from "../../files/search/results.ts";
import { isSameVersion, readText, type Version, versionOf } from "./file_text.ts";
import type { IndexFile } from "./index_file.ts";
import { expressionOf, expressionOfAll } from "./phrases.ts";
import type { Question } from "./question.ts";
import { snippetOf } from "./snippet.ts";

/** Most hits of an answer; the best ones are kept. */
const maxHits = 500;

/** Most files, and bytes of each, that are read again as they have changed since the index. */
const maxReread = 10;
const rereadBytes = 2 ** 20;

/**
 * The time of answers to viewers who do not see the whole root is rounded up to a multiple of this,
 * in milliseconds, so that it does not reveal hits in files of others (timing side channel).
 */
const beatMs = 50;

/** A hit that the viewer may read. */
interface Hit {
  id: number;
  /** Relative to the searched folder, without a leading slash. */
  path: string;
  version: Version;
  /** How well it fits; less is better. */
  rank: number;
  /** The file itself, where it has changed since it was read: it is read again. */
  changed?: FileHandle;
}

/**
 * Searches the texts of files below a folder, and sends results with snippets, the best first. The
 * index is one for all users, so each hit is looked up through the gate: files that the viewer may
 * not read or that are gone are left out without a trace. Of files that have changed since they
 * were read, such as a log, the present text counts.
 *
 * @param index null while there is none: then nothing is found
 * @param outdated takes a file that has changed since it was read
 * @throws {DomainError} `forbidden`, `not_found`
 */
export async function ask(
  access: Access,
  path: EntryPath,
  { index, question, outdated }: {
    index: IndexFile | null;
    question: Question;
    outdated: (path: EntryPath) => void;
  },
  call: StreamCall,
): Promise<void> {
  const begun = performance.now();
  const pauses = new Pauses(call.signal, "low");
  const results = new Results(call, "lines");
  await pauses.pause();
  access.need(`Cannot search in "${path}"`, "download");
  const folder = access.folder(path);
  call.open(null);
  const hits: Hit[] = [];
  for (const { path: top, real } of index && question.phrases.length > 0 ? topsIn(folder) : []) {
    const base = pathBelow(real, access.spec.root);
    const from = { path, top, base, question, outdated };
    if (index) hits.push(...await hitsIn(index, access, from, pauses));
  }
  if (!seesAll(access)) {
    const worked = performance.now() - begun;
    await delay(Math.ceil(worked / beatMs) * beatMs - worked, call.signal);
  }
  // What differs in accents comes after what is there as it was typed.
  const folded: SearchResult[] = [];
  for (const hit of index ? ranked(index, hits, question) : []) {
    const found = index && await resultOf(index, hit, question);
    if (found?.isExact) results.add(found.result);
    else if (found) folded.push(found.result);
    if (results.isFull) await results.send();
    if (pauses.isDue) await pauses.pause();
    if (results.isDue) await results.flush();
  }
  for (const result of folded) {
    results.add(result);
    if (results.isFull) await results.send();
  }
  await results.end();
}

/** Whether nothing of the root is kept from a viewer. */
function seesAll({ viewer }: Access): boolean {
  const { scope, roots, base = "/", rules, hideDotfiles } = viewer;
  return !roots && scope === "/" && base === "/" && rules.length === 0 && !hideDotfiles;
}

/**
 * The folders of the disk that a search from a folder is about: the named roots, at the top of
 * those.
 */
export function topsIn(folder: FolderHandle): FolderHandle[] {
  if (folder.real !== virtualTop) return [folder];
  using open = folder.open();
  return folder.readOpen(open).children.map((child) => folder.enter(child, open))
    .filter((root) => root !== null);
}

const found = `
  SELECT f.id, d.path AS folder, f.name, f.ino, f.size, f.modified, f.changed, w.rank AS rank
  FROM words w JOIN files f ON f.id = w.rowid JOIN folders d ON d.id = f.folder
  WHERE words MATCH ? AND (d.path = ? OR (d.path >= ? AND d.path < ?))
  ORDER BY w.rank`;

async function hitsIn(
  index: IndexFile,
  access: Access,
  { path, top, base, question, outdated }: {
    /** The folder that paths are relative to. */
    path: EntryPath;
    /** The searched folder: that one, or a named root in it. */
    top: EntryPath;
    /** The searched folder below the server root. */
    base: EntryPath;
    question: Question;
    outdated: (path: EntryPath) => void;
  },
  pauses: Pauses,
): Promise<Hit[]> {
  const { root } = access.spec;
  const isAsked = askedTest(question);
  const { prefix, without } = question;
  const pathOf = childrenOf(top);
  const below = base === "/" ? "/" : `${base}/`;
  const hits: Hit[] = [];
  let reread = 0;
  const rows = index.eachOwn(
    found,
    expressionOfAll(question.phrases),
    base,
    below,
    base === "/" ? "0" : `${base}0`,
  );
  for (const row of rows) {
    if (pauses.isDue) await pauses.pause();
    const version = versionIn(row);
    const name = String(row.name);
    if (!isAsked(name, version)) continue;
    const place = childrenOf(String(row.folder) as EntryPath)(name);
    const own = pathOf(relativePath(place, base).slice(1));
    if (without !== null && isInside(own, without)) continue;
    const file = fileAt(access, own);
    // By another way, over a link, it is not found by name either.
    if (!file || pathBelow(file.real, root) !== place) continue;
    const isOutdated = !isSameVersion(versionOf(file.info), version);
    if (isOutdated) outdated(place);
    if (isOutdated && ++reread > maxReread) continue;
    const hit = {
      id: Number(row.id),
      path: prefix + relativePath(own, path).slice(1),
      version,
      rank: Number(row.rank),
    };
    hits.push(isOutdated ? { ...hit, changed: file } : hit);
    if (hits.length === maxHits) break;
  }
  return hits;
}

/** A file that the viewer may read; null for all else. */
function fileAt(access: Access, path: EntryPath): FileHandle | null {
  return unlessRefused(() => access.read(path));
}

/** Tests what does not need the disk: name, size and time. */
function askedTest({ query, names }: Question): (name: string, version: Version) => boolean {
  const { typeMatches, matches } = nameTestOf({ ...query, terms: [] });
  const hasTerms = nameTestOf({ ...query, types: [] }).matches;
  const wantsTerms = names === "with_terms";
  const wallOf = query.date ? wallClock(query.timeZone) : Number;
  return (name, { size, modified }) =>
    matches(name) && typeMatches({ name, kind: "file", isFolder: false, target: null }) &&
    hasTerms(name) === wantsTerms && isInRange(query.size, size) &&
    isInRange(query.modified, modified) && isInRange(query.date, wallOf(modified));
}

/**
 * Puts hits in their order. SQLite weighs the words of a query by how many texts have them, texts
 * that the viewer may not read among them. So hits of several phrases are weighed phrase by phrase,
 * each by the best of these hits: the weights, which all share, cancel out.
 */
function ranked(index: IndexFile, hits: Hit[], { phrases }: Question): Hit[] {
  if (phrases.length > 1 && hits.length > 1) {
    const byId = new Map(hits.map((hit) => [hit.id, hit]));
    for (const hit of hits) hit.rank = 0;
    for (const phrase of phrases) {
      const ranks = new Map<Hit, number>();
      const rows = index.eachOwn(
        "SELECT rowid AS id, rank FROM words WHERE words MATCH ?",
        expressionOf(phrase),
      );
      for (const { id, rank } of rows) {
        const hit = byId.get(Number(id));
        if (hit) ranks.set(hit, Number(rank));
      }
      const best = Math.min(...ranks.values());
      for (const [hit, rank] of ranks) hit.rank -= rank / best;
    }
  }
  return hits.sort((a, b) => a.rank - b.rank || b.version.modified - a.version.modified);
}

async function resultOf(
  index: IndexFile,
  hit: Hit,
  { phrases, details }: Question,
): Promise<{ result: SearchResult; isExact: boolean } | null> {
  const { path } = hit;
  const { text, version } = hit.changed ? await readAgain(hit.changed) : textIn(index, hit);
  const found = text === null ? null : snippetOf(text, phrases);
  if (!found) return null;
  const { isExact, ...snippet } = found;
  // The lines of a PDF file are not what is shown of it.
  const shown = typeOfName(path) === "pdf" ? { snippet: snippet.snippet } : snippet;
  const result = { path, dir: false, ...shown };
  if (!details) return { result, isExact };
  const facts = { size: version.size, modified: isoText(version.modified) };
  return { result: { ...result, ...facts }, isExact };
}

/** Null for the text of a version that is in the index no more. */
function textIn(index: IndexFile, { id, version }: Hit): { text: string | null; version: Version } {
  const deflated = index.one("SELECT deflated FROM texts WHERE id = ?", id)?.deflated;
  const isThere = deflated instanceof Uint8Array;
  return { text: isThere ? inflateRawSync(deflated).toString() : null, version };
}

/** The present text of a file that the viewer may read; null when that fails. */
async function readAgain(file: FileHandle): Promise<{ text: string | null; version: Version }> {
  try {
    return await readText(file, { maxBytes: rereadBytes, readPdf: null });
  } catch (error) {
    if (!(error instanceof DomainError)) throw error;
    return { text: null, version: versionOf(file.info) };
  }
}

function versionIn({ ino, size, modified, changed }: Record<string, unknown>): Version {
  return {
    ino: Number(ino),
    size: Number(size),
    modified: Number(modified),
    changed: Number(changed),
  };
}
