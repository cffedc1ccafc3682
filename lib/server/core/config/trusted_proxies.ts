import { BlockList, isIP } from "node:net";

/** How the peers of a Unix socket are called: they have no address. */
export const unixPeer = "unix";

/** Cache of parsed lists, so that a list is not parsed on every request. */
const parsed = new WeakMap<readonly string[], BlockList>();

/**
 * Whether an address is among the trusted proxies.
 *
 * @param list addresses and CIDR blocks, IPv4 and IPv6, and "unix" for the peers of a Unix socket
 * @throws Error when an entry is neither
 */
export function isTrusted(address: string, list: readonly string[]): boolean {
  const family = isIP(address);
  if (address === unixPeer) return list.includes(unixPeer);
  if (family === 0 || list.length === 0) return false;
  let blocks = parsed.get(list);
  if (!blocks) {
    blocks = readBlocks(list);
    parsed.set(list, blocks);
  }
  return blocks.check(address, family === 4 ? "ipv4" : "ipv6");
}

/**
 * Reads a list of addresses and CIDR blocks.
 *
 * @throws Error `Cannot trust the proxy "10.0.0.0/40": not an address or CIDR block`
 */
export function readBlocks(list: readonly string[]): BlockList {
  const blocks = new BlockList();
  for (const entry of list.filter((entry) => entry !== unixPeer)) {
    const [address = "", prefix, ...rest] = entry.trim().split("/");
    const family = isIP(address);
    const widest = family === 4 ? 32 : 128;
    const bits = prefix === undefined ? widest : /^\d{1,3}$/.test(prefix) ? Number(prefix) : -1;
    if (family === 0 || rest.length > 0 || bits < 0 || bits > widest) {
      throw new Error(`Cannot trust the proxy "${entry}": not an address or CIDR block`);
    }
    blocks.addSubnet(address, bits, family === 4 ? "ipv4" : "ipv6");
  }
  return blocks;
}
