import type { Context } from "fresh";
import { listProgramFolder, readProgramText } from "../../core/config/program_files.ts";
import { type SheetName, SHEETS } from "./sheets.ts";

/** Folders with style sheets: of every page, of the UI kit, and of the features. */
const FOLDERS = ["static/styles/", "components/", "lib/client/"];

/** Defines the order of the layers, so it comes first; the order of the others does not matter. */
const FIRST = "/tokens.css";

const joined = new Map<SheetName, Uint8Array<ArrayBuffer>>();

/** Answers with a style sheet: cacheable for a year where its address contains the build. */
export function sheetAnswer(
  { config, url }: Pick<Context<unknown>, "config" | "url">,
  name: SheetName,
): Response {
  const isDeveloped = config.mode === "development";
  const sheet = styleSheet(name, isDeveloped);
  const kept = url.search !== "" && !isDeveloped;
  return new Response(sheet, {
    headers: {
      "content-length": String(sheet.length),
      "content-type": "text/css; charset=utf-8",
      "cache-control": kept ? "public, max-age=31536000, immutable" : "no-cache",
    },
  });
}

/**
 * All style sheets of a kind as one (minified, UTF-8), so that a page needs few requests for them.
 *
 * @param fresh bypasses the cache, for development
 */
export function styleSheet(name: SheetName, fresh = false): Uint8Array<ArrayBuffer> {
  const known = fresh ? undefined : joined.get(name);
  if (known) return known;
  const sheet = join(name);
  joined.set(name, sheet);
  return sheet;
}

function join(name: SheetName): Uint8Array<ArrayBuffer> {
  const sheets = sheetFiles(name).map(readProgramText);
  return new TextEncoder().encode(compactCss(sheets.join("\n")));
}

/** The files that a sheet is made of, relative to the project, in their order. */
export function sheetFiles(name: SheetName): string[] {
  const places = name === "site" ? Object.values(SHEETS).flat() : SHEETS[name];
  const isListed = (file: string) =>
    places.some((place) => place.endsWith("/") ? file.startsWith(place) : file === place);
  const files = FOLDERS.flatMap(sheetsBelow).filter((file) => isListed(file) !== (name === "site"));
  const isFirst = (file: string) => file.endsWith(FIRST);
  return [...files.filter(isFirst), ...files.filter((file) => !isFirst(file))];
}

function sheetsBelow(folder: string): string[] {
  return listProgramFolder(folder).flatMap(({ name, isDirectory }) => {
    if (isDirectory) return sheetsBelow(`${folder}${name}/`);
    return name.endsWith(".css") ? [`${folder}${name}`] : [];
  });
}

const COMMENT = /\/\*(?:[^*]|\*(?!\/))*\*\//.source;
const STRING = /"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'/.source;
const BLANKS = `(?:\\s|${COMMENT})`;

/**
 * A string, which is kept; the last semicolon of a block; a separator, with the blanks around it
 * and around the property name that follows; other blanks.
 */
const PARTS = new RegExp(
  `(${STRING})|${BLANKS}*(;)${BLANKS}*(?=})|` +
    `${BLANKS}*([{};,])${BLANKS}*(?:([\\w-]+:)${BLANKS}+)?|${BLANKS}+`,
  "g",
);

/** Minifies a style sheet: removes comments and white space. */
export function compactCss(sheet: string): string {
  const compact = (
    ...[, text, last, separator, property = ""]: [string, string?, string?, string?, string?]
  ) => text ?? (last ? "" : separator ? separator + property : " ");
  return sheet.replace(PARTS, compact).trim();
}
