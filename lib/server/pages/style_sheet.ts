import { compactCss } from "./compact_css.ts";

const FOLDER = new URL("../../../static/styles/", import.meta.url);

/** It names the layers in their order, so it comes first; the order of the others means nothing. */
const FIRST = "tokens.css";

let joined: Promise<Uint8Array<ArrayBuffer>> | undefined;

/**
 * All style sheets as one (compact, UTF-8), so that a page asks once: a component family a file is
 * for those who write them.
 *
 * @param fresh read again what may have changed since, while developing
 */
export function styleSheet(fresh = false): Promise<Uint8Array<ArrayBuffer>> {
  if (fresh) return join();
  return joined ??= join();
}

async function join(): Promise<Uint8Array<ArrayBuffer>> {
  const names = [...Deno.readDirSync(FOLDER)].map(({ name }) => name).sort();
  const ordered = [FIRST, ...names.filter((name) => name.endsWith(".css") && name !== FIRST)];
  const sheets = ordered.map((name) => Deno.readTextFile(new URL(name, FOLDER)));
  return new TextEncoder().encode(compactCss((await Promise.all(sheets)).join("\n")));
}
