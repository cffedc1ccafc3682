import { isIP } from "node:net";
import { DomainError } from "../../../../../shared/errors.ts";

/** This site, as browsers and authenticators know it (WebAuthn: "relying party"). */
export interface RelyingParty {
  /** The host name without a port. A passkey is bound to it. */
  id: string;
  /** Scheme, name and port, as a browser sends them. */
  origin: string;
}

/** The relying party of an origin. @param host name and port */
export function relyingParty({ https, host }: { https: boolean; host: string }): RelyingParty {
  const { hostname, origin } = new URL(`${https ? "https" : "http"}://${host}`);
  return { id: hostname, origin };
}

/**
 * Refuses a site that no browser makes a passkey for.
 *
 * @throws DomainError `invalid_option`
 */
export function checkParty({ id }: RelyingParty): void {
  if (isIP(id.replace(/^\[|\]$/g, "")) === 0) return;
  const message = `Cannot create a passkey: browsers do not support the address ${id}`;
  throw new DomainError("invalid_option", message);
}
