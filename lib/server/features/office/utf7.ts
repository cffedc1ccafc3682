/** Decodes UTF-7 (RFC 2152), in which WOPI sends names; what is no UTF-7 stays as it is. */
export function fromUtf7(text: string): string {
  return text.replace(/\+([A-Za-z\d+/]*)-?/g, (whole, code: string) => {
    if (code === "") return whole === "+-" ? "+" : whole;
    try {
      const bytes = Uint8Array.fromBase64(
        code.slice(0, code.length - Number(code.length % 4 === 1)),
      );
      return new TextDecoder("utf-16be", { ignoreBOM: true }).decode(
        bytes.subarray(0, bytes.length - bytes.length % 2),
      );
    } catch {
      return whole;
    }
  });
}
