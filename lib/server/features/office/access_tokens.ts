import { signJwt, unauthenticatedError, verifyJwt } from "../accounts/auth/jwt.ts";
import type { OfficeAction } from "./discovery.ts";

/** The lifetime of a token, in milliseconds: ten hours, a day of work. */
export const accessTokenMs = 10 * 60 * 60_000;

/** A visitor of a share without an account. */
export interface OfficeVisitor {
  /** Tells visitors apart. */
  id: string;
  /** The name that the visitor has given; "" for none. */
  name: string;
  /** The locale of the visitor's page. */
  locale: string;
  /** The visitor's own address: later requests come from the office server. */
  address: string;
}

/** Who may do what with a document. All of it is asked again at each request. */
export interface OfficeGrant {
  /** Tells this token from others for the same document. */
  id: string;
  /** The id of the document: for no other one does the token count. */
  document: string;
  /** The most that may be done. */
  right: OfficeAction;
  /** The session of the user; absent for a visitor of a share. */
  session?: { userId: number; sid: string };
  /** The share by which it is opened; absent for a file of the user's own. */
  share?: {
    hash: string;
    /** Tells the present password and terms of the share from former ones. */
    edition: string;
  };
  /** Absent for a user. */
  visitor?: OfficeVisitor;
  /** The origin of the page that shows the editor, to which the editor posts its messages. */
  origin: string;
  /** The address of this server for the office server, of which its signatures are. */
  host: string;
}

/** A new token. */
export function signAccessToken(key: CryptoKey, grant: OfficeGrant, now: number): Promise<string> {
  const times = { iat: now, exp: now + accessTokenMs };
  return signJwt(key, "office+jwt", { ...grant }, times);
}

/**
 * What a token grants, if it is for a document.
 *
 * @param document the id in the address
 * @throws DomainError `not_signed_in`
 */
export async function readAccessToken(
  key: CryptoKey,
  token: string,
  document: string,
  now: number,
): Promise<OfficeGrant> {
  const claims = await verifyJwt(key, "office+jwt", token, now);
  // The server has signed it: its shape is that of a grant.
  const grant = claims as unknown as OfficeGrant;
  if (grant.document === document) return grant;
  throw unauthenticatedError("the token is for another document");
}
