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
