/** The characters from 0x80 on of the code page of the IBM PC, in which old zips spell names. */
const upper =
  "ÇüéâäàåçêëèïîìÄÅÉæÆôöòûùÿÖÜ¢£¥₧ƒáíóúñÑªº¿⌐¬½¼¡«»░▒▓│┤╡╢╖╕╣║╗╝╜╛┐└┴┬├─┼╞╟╚╔╩╦╠═╬╧╨╤╥" +
  "╙╘╒╓╫╪┘┌█▄▌▐▀αßΓπΣσµτΦΘΩδ∞φε∩≡±≥≤⌠⌡÷≈°∙·√ⁿ²■\u00a0";

/** Decodes a name in the code page 437. */
export function fromCp437(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => byte < 0x80 ? String.fromCharCode(byte) : upper[byte - 0x80])
    .join("");
}
