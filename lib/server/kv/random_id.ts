/**
 * A random id in base64url, for records that people name on a command line: it never begins with a
 * hyphen, as a flag does.
 *
 * @param bytes how many random ones; a hyphen at the beginning costs a new attempt, and no strength
 */
export function randomId(bytes: number): string {
  while (true) {
    const id = crypto.getRandomValues(new Uint8Array(bytes))
      .toBase64({ alphabet: "base64url", omitPadding: true });
    if (!id.startsWith("-")) return id;
  }
}
