const TOP = new URL("../../../", import.meta.url);

/** Folders with style sheets: of every page, of the UI kit, and of the features. */
const FOLDERS = ["static/styles/", "components/", "lib/client/"];

/** Defines the order of the layers, so it comes first; the order of the others does not matter. */
const FIRST = "/tokens.css";

let joined: Promise<Uint8Array<ArrayBuffer>> | undefined;

/**
 * All style sheets as one (minified, UTF-8), so that a page needs one request for them.
 *
 * @param fresh bypasses the cache, for development
 */
export function styleSheet(fresh = false): Promise<Uint8Array<ArrayBuffer>> {
  if (fresh) return join();
  return joined ??= join();
}

async function join(): Promise<Uint8Array<ArrayBuffer>> {
  const found = FOLDERS.flatMap((folder) => sheetsBelow(new URL(folder, TOP)));
  const isFirst = ({ pathname }: URL) => pathname.endsWith(FIRST);
  const ordered = [...found.filter(isFirst), ...found.filter((sheet) => !isFirst(sheet))];
  const sheets = await Promise.all(ordered.map((sheet) => Deno.readTextFile(sheet)));
  return new TextEncoder().encode(compactCss(sheets.join("\n")));
}

function sheetsBelow(folder: URL): URL[] {
  const entries = [...Deno.readDirSync(folder)].sort((a, b) => a.name < b.name ? -1 : 1);
  return entries.flatMap(({ name, isDirectory }) => {
    if (isDirectory) return sheetsBelow(new URL(`${encodeURIComponent(name)}/`, folder));
    return name.endsWith(".css") ? [new URL(encodeURIComponent(name), folder)] : [];
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
