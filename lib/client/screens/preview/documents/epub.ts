/** A chapter of a book: a part of its archive. */
export interface Chapter {
  /** The path of the part in the archive. */
  path: string;
  title: string;
}

/** The metadata of a book. */
export interface Book {
  title: string;
  /** In reading order. */
  chapters: Chapter[];
}

/** Most chapters that are shown. */
const MOST_CHAPTERS = 5_000;

/** Reads a text part of a book's archive; null when it is not there. */
export type ReadPart = (path: string) => Promise<string | null>;

/**
 * Reads the table of contents of an EPUB (2 and 3).
 *
 * @returns null for what is no book, or one that is encrypted
 */
export async function openBook(read: ReadPart): Promise<Book | null> {
  const container = parseXml(await read("/META-INF/container.xml"));
  const place = container && elements(container, "rootfile")[0]?.getAttribute("full-path");
  if (!place) return null;
  const packagePath = resolvePart("/", place);
  const packed = parseXml(packagePath && await read(packagePath));
  if (!packagePath || !packed) return null;
  const items = new Map(elements(packed, "item").map((item) => [item.getAttribute("id"), item]));
  const pathOf = (item: Element | undefined) =>
    item ? resolvePart(packagePath, item.getAttribute("href") ?? "") : null;
  const titles = await titlesOf(packed, items, pathOf, read);
  const chapters: Chapter[] = [];
  for (const reference of elements(packed, "itemref").slice(0, MOST_CHAPTERS)) {
    const path = pathOf(items.get(reference.getAttribute("idref")));
    if (path) chapters.push({ path, title: titles.get(path) ?? "" });
  }
  const [title] = elements(packed, "title");
  return chapters.length > 0 ? { title: title?.textContent?.trim() ?? "", chapters } : null;
}

/** The titles of chapters by their paths, from the navigation (EPUB 3) or the NCX (EPUB 2). */
async function titlesOf(
  packed: Document,
  items: ReadonlyMap<string | null, Element>,
  pathOf: (item: Element | undefined) => string | null,
  read: ReadPart,
): Promise<Map<string, string>> {
  const all = [...items.values()];
  const isNavigation = (item: Element) =>
    item.getAttribute("properties")?.split(/\s+/).includes("nav") === true;
  const [spine] = elements(packed, "spine");
  const ncx = items.get(spine?.getAttribute("toc") ?? "") ??
    all.find((item) => item.getAttribute("media-type") === "application/x-dtbncx+xml");
  const titles = new Map<string, string>();
  const note = (from: string, address: string | null | undefined, text: string | null) => {
    const path = address && resolvePart(from, address);
    const title = text?.replace(/\s+/g, " ").trim().slice(0, 200);
    if (path && title && !titles.has(path)) titles.set(path, title);
  };
  const navigation = pathOf(all.find(isNavigation));
  const page = parseXml(navigation && await read(navigation));
  if (navigation && page) {
    for (const link of elements(page, "a")) {
      note(navigation, link.getAttribute("href"), link.textContent);
    }
  }
  const ncxPath = titles.size === 0 ? pathOf(ncx) : null;
  const points = parseXml(ncxPath && await read(ncxPath));
  if (ncxPath && points) {
    for (const point of elements(points, "navPoint")) {
      const [content] = elements(point, "content");
      const [label] = elements(point, "navLabel");
      note(ncxPath, content?.getAttribute("src"), label?.textContent ?? null);
    }
  }
  return titles;
}

/**
 * The path of a part that another one names, without its fragment; null for what lies elsewhere.
 *
 * @param from the path of the part that names it
 */
export function resolvePart(from: string, address: string): string | null {
  if (/^[a-z][a-z0-9+.-]*:/i.test(address) || address.startsWith("//")) return null;
  const base = `http://book.invalid${from.split("/").map(encodeURIComponent).join("/")}`;
  try {
    const { origin, pathname } = new URL(address, base);
    return origin === "http://book.invalid" ? decodeURIComponent(pathname) : null;
  } catch {
    return null;
  }
}

/** The elements of a name in any namespace, below a node. */
function elements(node: Document | Element, name: string): Element[] {
  return [...node.getElementsByTagNameNS("*", name)];
}

function parseXml(text: string | null | undefined): Document | null {
  if (!text) return null;
  const parsed = new DOMParser().parseFromString(text, "application/xml");
  return parsed.querySelector("parsererror") ? null : parsed;
}
