import { type Anchor, readAnchor, readOldAnchor } from "./position.ts";

/** A style of ASS, as far as it is used. */
export interface AssStyle {
  anchor: Anchor;
  bold: boolean;
  italic: boolean;
  underline: boolean;
}

/** The style of text without one. */
export const plainStyle: AssStyle = { anchor: 2, bold: false, italic: false, underline: false };

/**
 * Parses a line of the styles section.
 *
 * @param fields the values by lower-case name
 * @param isOld SSA, which numbers anchors in another way
 */
export function readStyle(fields: Map<string, string>, isOld: boolean): AssStyle {
  const alignment = fields.get("alignment") ?? "";
  const anchor = isOld ? readOldAnchor(alignment) : readAnchor(alignment);
  const isOn = (name: string) => /^-?[1-9]\d{0,3}$/.test(fields.get(name) ?? "");
  return {
    anchor: anchor ?? plainStyle.anchor,
    bold: isOn("bold"),
    italic: isOn("italic"),
    underline: isOn("underline"),
  };
}
