import { LruCache } from "../../../../shared/lru_cache.ts";
import type { SessionClaims } from "../../../../shared/schemas/session.ts";
import { toTokenUser, type User } from "../users/user.ts";
import { signJwt, unauthenticatedError, verifyJwt } from "./jwt.ts";
import type { SessionRecord } from "./session.ts";

/** The issuer that File Browser's clients look for in a token. */
const issuer = "File Browser";

/** Lifetime of a ticket, in milliseconds. */
const ticketLifeMs = 60_000;

/** Most tokens whose signatures are remembered as verified. */
const maxVerified = 1_000;

/** The purpose of a ticket: one path, one use. */
export interface TicketPurpose {
  path: string;
  use: "raw" | "command";
}

/** The session of a ticket. */
export interface TicketClaims extends TicketPurpose {
  sid: string;
  uid: number;
}

/** Writes and reads the two kinds of token. */
export class Tokens {
  readonly #key: CryptoKey;
  readonly #now: () => number;
  readonly #verified = new LruCache<string, SessionClaims>(maxVerified);

  /** @param now the clock, in milliseconds since 1970 */
  constructor(key: CryptoKey, now: () => number) {
    this.#key = key;
    this.#now = now;
  }

  /** The newest token of a session: it ends with the session. */
  forSession(session: SessionRecord, user: User): Promise<string> {
    const { sid, gen } = session;
    const claims = { iss: issuer, sid, gen, ver: user.version, user: toTokenUser(user) };
    return signJwt(this.#key, "JWT", claims, { iat: this.#now(), exp: session.expires });
  }

  /** @throws DomainError `not_signed_in` */
  async readSession(token: string): Promise<SessionClaims> {
    const known = this.#verified.get(token);
    if (known && this.#now() < known.exp * 1000) return known;
    const claims = await verifyJwt(this.#key, "JWT", token, this.#now());
    if (!isSessionClaims(claims)) throw unauthenticatedError("the token is of another version");
    this.#verified.set(token, claims);
    return claims;
  }

  /** A ticket for one minute. */
  forTicket(claims: TicketClaims): Promise<string> {
    const iat = this.#now();
    return signJwt(this.#key, "ticket+jwt", { ...claims }, { iat, exp: iat + ticketLifeMs });
  }

  /** @throws DomainError `not_signed_in` when it is no ticket, or one for something else */
  async readTicket(ticket: string, purpose: TicketPurpose): Promise<TicketClaims> {
    const { sid, uid, path, use } = await verifyJwt(this.#key, "ticket+jwt", ticket, this.#now());
    if (path !== purpose.path || use !== purpose.use) {
      throw unauthenticatedError("the ticket is for another path or use");
    }
    if (typeof sid !== "string" || typeof uid !== "number") {
      throw unauthenticatedError("the ticket is of another version");
    }
    return { sid, uid, ...purpose };
  }
}

function isSessionClaims(claims: object): claims is SessionClaims {
  const { sid, gen, user } = claims as Partial<SessionClaims>;
  return typeof sid === "string" && typeof gen === "number" && typeof user?.id === "number";
}
