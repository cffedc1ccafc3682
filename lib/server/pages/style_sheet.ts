import { compactCss } from "./compact_css.ts";

const TOP = new URL("../../../", import.meta.url);

/** What every page has, the UI kit, and the features, each with the styles beside its components. */
const FOLDERS = ["static/styles/", "components/", "lib/client/"];

/** It names the layers in their order, so it comes first; the order of the others means nothing. */
const FIRST = "/tokens.css";

let joined: Promise<Uint8Array<ArrayBuffer>> | undefined;

/**
 * All style sheets as one (compact, UTF-8), so that a page sends one request for them.
 *
 * @param fresh read again what may have changed since, while developing
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
