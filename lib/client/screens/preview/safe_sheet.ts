import createPurify from "dompurify";

const words = (text: string) => text.split(" ");

/** Allowed elements: those of texts, none that act, load or imitate the page. */
const RULES = {
  ALLOWED_TAGS: words(
    "a abbr b blockquote br code dd del details div dl dt em h1 h2 h3 h4 h5 h6 hr i img input ins " +
      "kbd li mark ol p pre q s samp small span strong sub summary sup table tbody td tfoot th " +
      "thead tr ul var",
  ),
  ALLOWED_ATTR: words(
    "align alt checked colspan dir height href lang open rowspan src start title type width",
  ),
  ALLOW_DATA_ATTR: false,
  ALLOW_ARIA_ATTR: false,
  IN_PLACE: true,
};

/**
 * Attributes in a document's HTML that would trigger reports of the content security policy. That
 * they are cut out avoids the reports; the sanitizer is what removes such attributes.
 */
export const REFUSED = /\s(?:on\w+|style)\s*=\s*(?:"[^"]*"|'[^']*'|[^\s>]+)/gi;

const TAG = /<[a-z][^<>]*>/gi;

/** HTML without these attributes. */
export function withoutRefused(html: string): string {
  return html.replace(TAG, (tag) => tag.replace(REFUSED, ""));
}

const purify = createPurify(window);

/** Removes all from a document in memory that could act, load or imitate the page. */
export function sanitize(sheet: HTMLElement): void {
  purify.sanitize(sheet, RULES);
}

/**
 * Parses in a document without a window: nothing is loaded and no handler is created before the
 * sanitizer removes it. The result is moved, never serialized and parsed again.
 */
export function parse(html: string): HTMLElement {
  const sheet = emptySheet();
  sheet.innerHTML = html;
  return sheet;
}

/** An element of such a document. */
function emptySheet(): HTMLElement {
  return document.createElement("template").content.ownerDocument.createElement("div");
}
