/** A name and a password, as `Authorization: Basic` carries them. */
export interface BasicCredentials {
  username: string;
  password: string;
}

/**
 * The credentials of a request (RFC 7617); null without any, and for what cannot be read. They are
 * UTF-8, as this server announces; older clients send Latin-1.
 */
export function basicCredentials({ headers }: Pick<Request, "headers">): BasicCredentials | null {
  const [, base64] = /^Basic +([\w+/]+={0,2}) *$/i.exec(headers.get("authorization") ?? "") ?? [];
  const text = base64 === undefined ? null : decoded(base64);
  const colon = text?.indexOf(":") ?? -1;
  if (text === null || colon === -1) return null;
  return { username: text.slice(0, colon), password: text.slice(colon + 1) };
}

function decoded(base64: string): string | null {
  try {
    const bytes = Uint8Array.fromBase64(base64);
    try {
      return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
    } catch {
      return new TextDecoder("latin1").decode(bytes);
    }
  } catch {
    return null;
  }
}
