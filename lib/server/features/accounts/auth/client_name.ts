/** The longest name that is made of a header, in characters. */
const maxLength = 80;

/** The name of a client that tells none. */
const unknown = "Sync client";

/** Systems by the words of clients. */
const systems: Record<string, string> = {
  macintosh: "macOS",
  android: "Android",
  ios: "iOS",
  ipad: "iPad",
  iphone: "iPhone",
};

/** Products by their names in lower case. */
const products: Record<string, string> = { nextcloud: "Nextcloud", owncloud: "ownCloud" };

/**
 * The name of a sync client for its user, from the header `User-Agent`: "Nextcloud for macOS",
 * "Nextcloud for Linux · annas-laptop". A stranger may have chosen it: it is short, and has no
 * characters that would change what stands around it.
 */
export function clientNameOf(agent: string): string {
  // What cannot be seen, with the signs that turn the direction of a text (CVE-2021-42574).
  const plain = agent.replace(/[\p{Cc}\p{Cf}\p{Co}\p{Cs}\p{Zl}\p{Zp}]/gu, " ")
    .replace(/\s+/g, " ").trim();
  return [...named(plain)].slice(0, maxLength).join("").trim() || unknown;
}

function named(agent: string): string {
  const [, host, system] = /^(.+) \(Desktop Client - ([\w ]+)\)$/.exec(agent) ?? [];
  if (host && system) return `Nextcloud for ${systemOf(system)} · ${host}`;
  const [, desktop, brand = "Nextcloud"] =
    /^Mozilla\/5\.0 \((\w+)[^)]*\) mirall\/\S+(?: \((\w+))?/.exec(agent) ?? [];
  if (desktop) return `${productOf(brand)} for ${systemOf(desktop)}`;
  const [, device, product, phone] =
    /^(?:Mozilla\/5\.0 )?\((\w+)[^)]*\)[ \w]* (\w+)-(android|ios)\//i.exec(agent) ?? [];
  if (product && phone) {
    const isTablet = device !== undefined && /^ip(?:ad|hone)$/i.test(device);
    return `${productOf(product)} for ${systemOf(isTablet ? device : phone)}`;
  }
  const [, own, app] = /^(.+) \(([^()]*(?:nextcloud|owncloud)[^()]*)\)$/i.exec(agent) ?? [];
  if (own && app) return `${app} · ${own}`;
  // The first product says most, without its version: "DAVx5/4.4 (dav4jvm)".
  const [first = ""] = agent.replace(/^Mozilla\/5\.0 \([^)]*\) /, "").split("/");
  return first;
}

function systemOf(word: string): string {
  return systems[word.toLowerCase()] ?? word;
}

function productOf(word: string): string {
  return products[word.toLowerCase()] ?? word;
}
