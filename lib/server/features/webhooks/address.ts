import { isIP } from "node:net";
import ipaddr from "ipaddr.js";
import { isTrusted } from "../../core/config/trusted_proxies.ts";

/**
 * Addresses that look like those of the internet and are not: Azure answers its machines there,
 * with their secrets.
 */
const metadataAddresses = ["168.63.129.16"];

/** IPv6 addresses that stand for one of IPv4. */
const embedding: ReadonlySet<string> = new Set([
  ...["ipv4Mapped", "rfc6145", "rfc6052", "6to4", "teredo"],
]);

/** The part of IPv6 that is given out for the internet (RFC 4291, 2.4). */
const internet6 = ipaddr.IPv6.parseCIDR("2000::/3");

/**
 * Whether webhooks may be sent to an address: one of the internet, or one that the operator allows.
 * Refused are loopback, private, link-local, unique-local, shared (CGNAT), multicast and reserved
 * addresses, and IPv6 addresses that stand for an IPv4 one (mapped, NAT64, 6to4, Teredo): behind
 * any of these are services that trust all clients that reach them (SSRF, CWE-918).
 *
 * @param allowed addresses and CIDR blocks
 */
export function mayReach(address: string, allowed: readonly string[]): boolean {
  if (isIP(address) === 0 || address.includes("%")) return false;
  const parsed = ipaddr.parse(address);
  const range = parsed.range();
  if (embedding.has(range)) return false;
  if (isTrusted(address, allowed)) return true;
  if (range !== "unicast" || metadataAddresses.includes(address)) return false;
  return !(parsed instanceof ipaddr.IPv6) || parsed.match(internet6);
}
