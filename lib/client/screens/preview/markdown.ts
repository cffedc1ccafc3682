import { Marked } from "marked";
import type { EntryPath } from "../../../shared/path.ts";
import { flavour, noteMarkName, noteName } from "./markdown_flavour.ts";
import { slugOf, targetOf } from "./markdown_links.ts";
import { parse, REFUSED, sanitize } from "./safe_sheet.ts";

/** Resolves the addresses of a document. */
export interface MarkdownContext {
  /** The path of the document. */
  document: EntryPath;
  /** The page of an entry. */
  pageOf: (at: EntryPath, folder: boolean) => string;
  /** The content of a file, to be embedded. */
  contentOf: (at: EntryPath) => string;
}

/** Prefix of the ids of headings, so that none collides with the page's own. */
const PREFIX = "text-";

const renderer = { html: ({ text }: { text: string }) => text.replace(REFUSED, "") };

/** What reads one document. */
const reader = () => new Marked({ gfm: true, async: false, renderer }, flavour());

/**
 * A Markdown document (GitHub's flavour) as one element: browsers take minutes to lay out many
 * where the text direction counts. The document's HTML is sanitized, and nothing is fetched from
 * elsewhere: pictures of other sites become links. A text that nests too deeply to be parsed stays
 * as it was written.
 */
export function renderMarkdown(text: string, context: MarkdownContext): HTMLElement {
  const sheet = read(text);
  sanitize(sheet);
  for (const link of sheet.querySelectorAll("a[href]")) lead(link as HTMLAnchorElement, context);
  for (const image of sheet.querySelectorAll("img")) show(image, context);
  for (const box of sheet.querySelectorAll("input")) tick(box);
  // They may be wider than the page: keys scroll what has the focus.
  for (const code of sheet.querySelectorAll("pre")) code.tabIndex = 0;
  nameHeadings(sheet);
  nameNotes(sheet);
  sheet.className = "markdown__text";
  sheet.dir = "auto";
  return sheet;
}

function read(text: string): HTMLElement {
  try {
    return parse(reader().parse(text, { async: false }) as string);
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    const sheet = parse("<pre></pre>");
    sheet.querySelector("pre")?.append(text);
    return sheet;
  }
}

function lead(link: HTMLAnchorElement, { document, pageOf }: MarkdownContext): void {
  const target = targetOf(link.getAttribute("href") ?? "", document);
  switch (target.is) {
    case "entry":
      link.href = pageOf(target.at, target.folder) + target.hash;
      link.dataset.place = "";
      return;
    case "place":
      link.setAttribute("href", `#${PREFIX}${target.name}`);
      return;
    case "elsewhere":
      link.target = "_blank";
      link.rel = "noopener noreferrer";
      return;
    case "nothing":
      link.removeAttribute("href");
  }
}

function show(image: HTMLImageElement, { document, contentOf }: MarkdownContext): void {
  const source = image.getAttribute("src") ?? "";
  if (/^data:image\//i.test(source)) return;
  const target = targetOf(source, document);
  if (target.is === "entry") {
    image.src = contentOf(target.at);
    image.loading = "lazy";
    return;
  }
  const words = image.alt || source;
  if (target.is !== "elsewhere" || image.closest("a")) return image.replaceWith(words);
  const link = Object.assign(globalThis.document.createElement("a"), {
    href: target.href,
    target: "_blank",
    rel: "noopener noreferrer",
    textContent: words,
  });
  image.replaceWith(link);
}

/** Task lists show their state; other form elements are removed. */
function tick(box: HTMLInputElement): void {
  if (box.type !== "checkbox") return box.remove();
  box.disabled = true;
  box.setAttribute("aria-label", box.closest("li")?.textContent?.trim() || "-");
}

function nameHeadings(sheet: HTMLElement): void {
  const taken = new Map<string, number>();
  for (const heading of sheet.querySelectorAll("h1, h2, h3, h4, h5, h6")) {
    const slug = slugOf(heading.textContent ?? "");
    const count = taken.get(slug) ?? 0;
    taken.set(slug, count + 1);
    heading.id = PREFIX + (count === 0 ? slug : `${slug}-${count}`);
  }
}

/** Footnotes are the last list; the first mark of each is where it leads back to. */
function nameNotes(sheet: HTMLElement): void {
  const list = [...sheet.querySelectorAll("ol")].at(-1);
  for (const [index, item] of [...list?.children ?? []].entries()) {
    const name = PREFIX + noteName(index + 1);
    const mark = sheet.querySelector(`sup > a[href="#${name}"]`);
    if (!mark) return;
    item.id = name;
    mark.id = PREFIX + noteMarkName(index + 1);
  }
}
