/** A run of UTF-7, and the bytes of its code units. */
const run = /\+([A-Za-z\d+/]*)-?/g;

/** Numbers of characters, in eights, that whole code units of 16 bits take in base64. */
const wholeLengths = [0, 3, 6];

/**
 * Decodes UTF-7 (RFC 2152), in which WOPI sends names. What is no UTF-7 stays as it is: "C++" and
 * "a+b" of a client that sends names in plain text.
 */
export function fromUtf7(text: string): string {
  return text.replace(run, (whole, code: string) => {
    if (code === "") return whole === "+-" ? "+" : whole;
    if (!wholeLengths.includes(code.length % 8)) return whole;
    const bytes = Uint8Array.fromBase64(code);
    const isExact = bytes.toBase64({ omitPadding: true }) === code;
    const units = new TextDecoder("utf-16be", { ignoreBOM: true }).decode(bytes);
    return isExact && units.isWellFormed() && !units.includes("\ufffd") ? units : whole;
  });
}
