const COMMENT = /\/\*(?:[^*]|\*(?!\/))*\*\//.source;
const STRING = /"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'/.source;
const BLANKS = `(?:\\s|${COMMENT})`;

/** A string, which stays; what separates, with the blanks about it; other blanks. */
const PARTS = new RegExp(`(${STRING})|${BLANKS}*([{};,])${BLANKS}*|${BLANKS}+`, "g");

/** A style sheet that means the same without what it has for those who read it: comments, layout. */
export function compactCss(sheet: string): string {
  const compact = (_: string, text?: string, separator?: string) => text ?? separator ?? " ";
  return sheet.replace(PARTS, compact).trim();
}
