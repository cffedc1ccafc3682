const COMMENT = /\/\*(?:[^*]|\*(?!\/))*\*\//.source;
const STRING = /"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'/.source;
const BLANKS = `(?:\\s|${COMMENT})`;

/**
 * A string, which stays; the last semicolon of a block; what separates, with the blanks about it and
 * about the name of a property that follows; other blanks.
 */
const PARTS = new RegExp(
  `(${STRING})|${BLANKS}*(;)${BLANKS}*(?=})|` +
    `${BLANKS}*([{};,])${BLANKS}*(?:([\\w-]+:)${BLANKS}+)?|${BLANKS}+`,
  "g",
);

/** A style sheet that means the same without what it has for those who read it: comments, layout. */
export function compactCss(sheet: string): string {
  const compact = (
    ...[, text, last, separator, property = ""]: [string, string?, string?, string?, string?]
  ) => text ?? (last ? "" : separator ? separator + property : " ");
  return sheet.replace(PARTS, compact).trim();
}
