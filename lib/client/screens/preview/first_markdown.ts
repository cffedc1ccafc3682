import { Marked, type Tokens } from "marked";
import type { MarkdownContext } from "./markdown.ts";
import { flavour } from "./markdown_flavour.ts";
import { targetOf } from "./markdown_links.ts";

/** The beginning of a document that is rendered, in characters: several screens. */
const LONGEST = 16_000;

/** Emphases in one paragraph, over which the parser takes the square of the time. */
const MOST_MARKS = 500;

/** Lists and quotes within each other, over which the parser runs out of stack. */
const TOO_DEEP = /^[ \t]*(?:>[ \t]?|[-*+][ \t]+|\d{1,9}[.)][ \t]+){24}/m;

/**
 * The beginning of a Markdown document as HTML, for the page that the server sends: without a
 * document there is no sanitizer, so HTML in the text is left out, all else is escaped, and
 * addresses are resolved as `renderMarkdown()` does, which then replaces it.
 *
 * @returns null for a text that would take the parser long
 */
export function firstMarkdown(text: string, context: MarkdownContext): string | null {
  const part = text.length <= LONGEST ? text : text.slice(0, cutOf(text));
  if (TOO_DEEP.test(part)) return null;
  const isLong = (block: string) => (block.match(/[*_~]/g)?.length ?? 0) > MOST_MARKS;
  if (part.split(/\n\s*\n/).some(isLong)) return null;
  try {
    return markedFor(context).parse(part, { async: false }) as string;
  } catch (error) {
    if (error instanceof RangeError) return null;
    throw error;
  }
}

/** Before a paragraph if possible, so that none is torn. */
function cutOf(text: string): number {
  const at = text.lastIndexOf("\n\n", LONGEST);
  return at > LONGEST / 2 ? at : LONGEST;
}

function markedFor({ document, pageOf, contentOf }: MarkdownContext): Marked {
  return new Marked({
    gfm: true,
    async: false,
    renderer: {
      html: () => "",
      code: ({ text }) => `<pre tabindex="0"><code>${escaped(text)}\n</code></pre>\n`,
      checkbox: ({ checked }) => {
        return `<input type="checkbox" disabled aria-label="-"${checked ? " checked" : ""}> `;
      },
      link({ href, title, tokens }: Tokens.Link) {
        const words = this.parser.parseInline(tokens);
        const target = targetOf(href, document);
        const name = title ? ` title="${escaped(title)}"` : "";
        if (target.is === "entry") {
          const page = escaped(pageOf(target.at, target.folder) + target.hash);
          return `<a href="${page}" data-place${name}>${words}</a>`;
        }
        return target.is === "elsewhere" ? outward(target.href, words, name) : `<a>${words}</a>`;
      },
      image({ href, title, text }: Tokens.Image) {
        const name = title ? ` title="${escaped(title)}"` : "";
        const target = targetOf(href, document);
        if (target.is === "entry") {
          const source = escaped(contentOf(target.at));
          return `<img src="${source}" alt="${escaped(text)}" loading="lazy"${name}>`;
        }
        return escaped(text);
      },
    },
  }, flavour());
}

function outward(href: string, words: string, name: string): string {
  const address = escaped(href);
  return `<a href="${address}" target="_blank" rel="noopener noreferrer"${name}>${words}</a>`;
}

const ENTITIES: Record<string, string> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};

function escaped(text: string): string {
  return text.replace(/[&<>"']/g, (character) => ENTITIES[character] ?? character);
}
