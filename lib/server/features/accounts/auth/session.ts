import { isoOf } from "../../../../shared/time.ts";
import type { SessionInfo } from "../../../../shared/schemas/session.ts";
import type { Settings } from "../../../../shared/schemas/settings.ts";
import type { User } from "../users/user.ts";
import type { ActingUser, ApiToken } from "./api_token.ts";

/** The client that uses a session, as far as the server knows. */
export interface Client {
  /** The client's address, as the trusted proxies report it. */
  address: string;
  /** The `User-Agent` header, or "". */
  agent: string;
}

/** Somebody whose name and password are right. Until `enter` is called nothing has changed. */
export interface Verified {
  /** The user as of now; null for one whom `enter` makes. */
  user: User | null;
  /**
   * Does what the sign-in brings with it, in one commit: the user is made or linked, the rights
   * become those that another server says. Called once all other proofs are there; null when it is
   * refused.
   */
  enter(): Promise<User | null>;
}

/** Counts the guess under way for a further account as well; throws `throttled`. */
export type AlsoCount = (account: string) => Promise<void>;

/**
 * Decides whether a name and a password are right, and whose they are; null when they are not. It
 * is called under the throttle, and must take as long for unknown names as for known ones.
 */
export type PasswordCheck = (
  username: string,
  password: string,
  alsoCount: AlsoCount,
) => Promise<Verified | null>;

/** Former generations of tokens, replaced by a renewal by cookie. */
export interface FormerGeneration {
  /** The newest of them. */
  gen: number;
  /** The oldest of them; absent where it is the same. */
  from?: number;
  /** The end of its grace period, in milliseconds since 1970. */
  until: number;
}

/** A session as the store holds it. Times are in milliseconds since 1970. */
export interface SessionRecord extends Client {
  sid: string;
  userId: number;
  /** The generation of the newest token. */
  gen: number;
  /**
   * The newest generation that a renewal by cookie has replaced: later ones stay valid until they
   * expire. Absent in older records, where every former generation was replaced like that.
   */
  replaced?: number;
  /** Former generations within their grace period, newest first. */
  former: FormerGeneration[];
  /**
   * When its user has proved elsewhere to be it, in milliseconds since 1970; absent when the proof
   * was a password here.
   */
  provedAt?: number;
  /** The user's epoch when the session began; a new epoch of the user ends the session. */
  epoch: number;
  created: number;
  /** At most a minute behind. */
  lastSeen: number;
  /** The end, unless it is renewed earlier. */
  expires: number;
}

/** How long a proof of identity counts like the own password typed again, in milliseconds. */
const freshMs = 10 * 60_000;

/** Whether a session's user has proved elsewhere, a short while ago, to be it. */
export function isFreshlyVerified({ provedAt }: SessionRecord, now: number = Date.now()): boolean {
  return provedAt !== undefined && isFresh(provedAt, now);
}

/** Whether a session began a short while ago: renewals do not count, a sign-in does. */
export function isFreshlyOpened({ created }: SessionRecord, now: number = Date.now()): boolean {
  return isFresh(created, now);
}

function isFresh(time: number, now: number): boolean {
  return Math.abs(now - time) < freshMs;
}

/** The one who makes a request: the records by which it is decided. */
export interface Caller {
  /** With the rights and bounds of the API token, if that was presented. */
  user: ActingUser;
  settings: Settings;
  /** The client should renew: less than half the lifetime is left, or the user has changed. */
  stale: boolean;
  /** The session; absent for an API token. */
  session?: SessionRecord;
  /** The API token; absent for a session. */
  token?: ApiToken;
}

/** A caller with a session: a person, who may do all that the user may. */
export interface SignedIn extends Caller {
  session: SessionRecord;
  token?: undefined;
}

/** The records that determine what a caller may see. */
export type Seen = Pick<Caller, "user" | "settings">;

/** The session as its owner sees it in the list of sessions. */
export function toSessionInfo(session: SessionRecord, currentSid: string): SessionInfo {
  return {
    sid: session.sid,
    created: isoOf(session.created),
    lastSeen: isoOf(session.lastSeen),
    address: session.address,
    agent: session.agent,
    current: session.sid === currentSid,
  };
}
