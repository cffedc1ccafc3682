import { type BookParts, resolvePart } from "./book_parts.ts";
import { elements, parseLeniently } from "./lenient_xml.ts";

/** A chapter of a book: a part of its archive. */
export interface Chapter {
  /** The path of the part in the archive. */
  path: string;
  title: string;
  /** Why it can't be shown. */
  fault?: "missing" | "locked" | "foreign";
  /** It is a picture, not a page. */
  isPicture?: boolean;
}

/** The metadata of a book. */
export interface Book {
  title: string;
  /** In reading order. */
  chapters: Chapter[];
}

/** Most chapters that are shown. */
const MOST_CHAPTERS = 5_000;

/** The longest title, in characters. */
const LONGEST_TITLE = 200;

/** Encryptions of fonts alone, with a key that is in the book. */
const FONT_METHODS = ["http://www.idpf.org/2008/embedding", "http://ns.adobe.com/pdf/enc#RC"];

/** Reads a text part of a book's archive; null when it is not there. */
export type ReadPart = (path: string) => Promise<string | null>;

/**
 * Reads the table of contents of an EPUB (2 and 3), as leniently as browsers read pages.
 *
 * @returns null for what is no book; "locked" for one that is encrypted
 */
export async function openBook(parts: BookParts, read: ReadPart): Promise<Book | "locked" | null> {
  const locked = await lockedParts(parts, read);
  const packagePath = await findPackage(parts, read);
  const text = packagePath && await read(packagePath);
  if (!packagePath || !text) return locked.size > 0 ? "locked" : null;
  const packed = parseLeniently(text);
  const items = new Map(elements(packed, "item").map((item) => [item.getAttribute("id"), item]));
  const placeOf = (address: string) => {
    const path = resolvePart(packagePath, address);
    // Some packages name parts from the top of the archive.
    const other = path !== null && parts.find(path) === null ? resolvePart("/", address) : null;
    return other !== null && parts.find(other) !== null ? other : path;
  };
  const pathOf = (item: Element | undefined) =>
    item ? placeOf(item.getAttribute("href") ?? "") : null;
  const titles = await titlesOf(packed, items, { parts, pathOf, read });
  const references = elements(packed, "itemref").map((one) => one.getAttribute("idref") ?? "");
  const order = references.length > 0 ? references : pagesAmong(items);
  const chapters = order.slice(0, MOST_CHAPTERS).map((id): Chapter => {
    const item = items.get(id);
    const path = pathOf(item) ?? placeOf(id) ?? id;
    const found = parts.find(path);
    const type = item?.getAttribute("media-type") ?? "";
    const isPicture = type.startsWith("image/");
    const isPage = /^$|html|xml|^text\/|oeb/i.test(type);
    if (found === null || !(isPicture || isPage)) {
      return {
        path,
        title: titles.get(found ?? path) ?? "",
        fault: found === null ? "missing" : "foreign",
      };
    }
    const chapter = { path: found, title: titles.get(found) ?? "", isPicture };
    return locked.has(found) ? { ...chapter, fault: "locked" } : chapter;
  });
  if (chapters.length === 0) return null;
  const isLocked = (locked.size > 0 || parts.find("/META-INF/sinf.xml") !== null) &&
    chapters.every(({ fault }) => fault !== undefined);
  if (isLocked) return "locked";
  const [title] = elements(packed, "title");
  return { title: title?.textContent?.trim() ?? "", chapters };
}

/**
 * The title of a chapter without one in the table of contents: its first heading, or the title of
 * its page, unless that is the book's.
 */
export function headingOf(text: string, bookTitle: string): string {
  const page = parseLeniently(text);
  const headings = [...page.querySelectorAll("*")]
    .filter(({ localName }) => /^h[1-6]$/i.test(localName));
  const titles = headings.map(({ textContent }) => titleIn(textContent));
  const [own] = elements(page, "title").map(({ textContent }) => titleIn(textContent));
  if (own !== titleIn(bookTitle) && !/^(unknown|untitled.*)$/i.test(own ?? "")) {
    titles.push(own ?? "");
  }
  return titles.find((title) => title !== "") ?? "";
}

/** The package: where the container says, or else the first of the archive. */
async function findPackage(parts: BookParts, read: ReadPart): Promise<string | null> {
  const container = parts.find("/META-INF/container.xml");
  const text = container && await read(container);
  const places = text
    ? elements(parseLeniently(text), "rootfile").map((one) => one.getAttribute("full-path") ?? "")
    : [];
  const named = places.flatMap((place) => [`/${place}`, resolvePart("/", place) ?? ""])
    .map((place) => parts.find(place)).find((place) => place !== null);
  return named ?? parts.paths.find((path) => /\.opf$/i.test(path)) ?? null;
}

/** The parts that are encrypted, fonts aside. */
async function lockedParts(parts: BookParts, read: ReadPart): Promise<ReadonlySet<string>> {
  const list = parts.find("/META-INF/encryption.xml");
  const text = list && await read(list);
  if (!text) return new Set();
  const paths = elements(parseLeniently(text), "EncryptedData").flatMap((data) => {
    const [method] = elements(data, "EncryptionMethod");
    const [reference] = elements(data, "CipherReference");
    if (FONT_METHODS.includes(method?.getAttribute("Algorithm") ?? "")) return [];
    return parts.find(resolvePart("/", reference?.getAttribute("URI") ?? "") ?? "") ?? [];
  });
  return new Set(paths);
}

/** The items that are pages, for a package without a reading order. */
function pagesAmong(items: ReadonlyMap<string | null, Element>): string[] {
  return [...items].flatMap(([id, item]) => {
    const isPage = /html/i.test(item.getAttribute("media-type") ?? "") && !isNavigation(item);
    return id !== null && isPage ? [id] : [];
  });
}

function isNavigation(item: Element): boolean {
  return item.getAttribute("properties")?.split(/\s+/).includes("nav") === true;
}

interface TitleSources {
  parts: BookParts;
  pathOf: (item: Element | undefined) => string | null;
  read: ReadPart;
}

/** The titles of chapters by their paths, from the navigation (EPUB 3) and the NCX (EPUB 2). */
async function titlesOf(
  packed: Element,
  items: ReadonlyMap<string | null, Element>,
  { parts, pathOf, read }: TitleSources,
): Promise<Map<string, string>> {
  const all = [...items.values()];
  const titles = new Map<string, string>();
  const note = (from: string, address: string | null | undefined, text: string | null) => {
    const named = address && resolvePart(from, address);
    const path = named && (parts.find(named) ?? named);
    const title = titleIn(text);
    if (path && title !== "" && !titles.has(path)) titles.set(path, title);
  };
  const open = async (item: Element | undefined) => {
    const path = parts.find(pathOf(item) ?? "");
    const text = path && await read(path);
    return path && text ? { path, page: parseLeniently(text) } : null;
  };

  const navigation = await open(all.find(isNavigation));
  if (navigation) {
    const { path, page } = navigation;
    const isContents = (nav: Element) =>
      [...nav.attributes].some(({ name, value }) => /(^|:)type$/.test(name) && value === "toc");
    const list = elements(page, "nav").find(isContents) ?? page;
    for (const link of elements(list, "a")) note(path, link.getAttribute("href"), link.textContent);
  }
  const [spine] = elements(packed, "spine");
  const ncx = await open(
    items.get(spine?.getAttribute("toc") ?? "") ??
      all.find((item) => item.getAttribute("media-type") === "application/x-dtbncx+xml") ??
      all.find((item) => /\.ncx$/i.test(item.getAttribute("href") ?? "")),
  );
  if (ncx) {
    for (const point of elements(ncx.page, "navPoint")) {
      const [content] = elements(point, "content");
      const [label] = elements(point, "navLabel");
      note(ncx.path, content?.getAttribute("src"), label?.textContent ?? null);
    }
  }
  return titles;
}

function titleIn(text: string | null): string {
  return text?.replace(/\s+/g, " ").trim().slice(0, LONGEST_TITLE) ?? "";
}
