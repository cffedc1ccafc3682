import type { SessionInfo } from "../../shared/api_types.ts";
import type { Settings } from "../settings/settings.ts";
import type { User } from "../users/user.ts";

/** The client that uses a session, as far as the server knows. */
export interface Client {
  /** The client's address, as the trusted proxies report it. */
  address: string;
  /** The `User-Agent` header, or "". */
  agent: string;
}

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
  /** The user's epoch when the session began; a new epoch of the user ends the session. */
  epoch: number;
  created: number;
  /** At most a minute behind. */
  lastSeen: number;
  /** The end, unless it is renewed earlier. */
  expires: number;
}

/** The signed-in user of one request: the records by which it is decided. */
export interface SignedIn {
  user: User;
  session: SessionRecord;
  settings: Settings;
  /** The client should renew: less than half the lifetime is left, or the user has changed. */
  stale: boolean;
}

/** The session as its owner sees it in the list of sessions. */
export function toSessionInfo(session: SessionRecord, currentSid: string): SessionInfo {
  return {
    sid: session.sid,
    created: new Date(session.created).toISOString(),
    lastSeen: new Date(session.lastSeen).toISOString(),
    address: session.address,
    agent: session.agent,
    current: session.sid === currentSid,
  };
}
