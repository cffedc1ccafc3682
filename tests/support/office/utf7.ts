/** Encodes a name as clients of WOPI do (RFC 2152): all but letters, digits and a few signs. */
export function toUtf7(text: string): string {
  return text.replace(/[^A-Za-z\d'(),\-./:? ]+/g, (run) => {
    if (run === "+") return "+-";
    const units = new Uint8Array(run.length * 2);
    const view = new DataView(units.buffer);
    for (let at = 0; at < run.length; at++) view.setUint16(at * 2, run.charCodeAt(at));
    return `+${units.toBase64({ omitPadding: true })}-`;
  });
}
