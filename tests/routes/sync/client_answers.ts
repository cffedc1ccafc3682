/** Bodies and answers of WebDAV as clients of Nextcloud and ownCloud write and read them. */

const namespaces = 'xmlns:d="DAV:" xmlns:oc="http://owncloud.org/ns" ' +
  'xmlns:nc="http://nextcloud.org/ns"';

/** The body of a PROPFIND. @param names with their prefixes: `oc:id` */
export function propfind(...names: string[]): string {
  const props = names.map((name) => `<${name}/>`).join("");
  return `<?xml version="1.0"?><d:propfind ${namespaces}><d:prop>${props}</d:prop></d:propfind>`;
}

/** The responses of a multistatus by their addresses, in their order. */
export function responsesIn(xml: string): Map<string, string> {
  const all = [...xml.matchAll(/<d:response><d:href>([^<]*)<\/d:href>(.*?)<\/d:response>/gs)];
  return new Map(all.map(([, href = "", body = ""]) => [href, body]));
}

/** The content of a property that a response has; "" for an empty one, null for a missing one. */
export function propertyIn(response: string, name: string): string | null {
  const [found = ""] = response.match(/<d:propstat><d:prop>.*?200 OK/s) ?? [];
  if (found.includes(`<${name}/>`)) return "";
  return new RegExp(`<${name}>(.*?)</${name}>`, "s").exec(found)?.[1] ?? null;
}
