import type { SessionRecord } from "./session.ts";

/** Grace period of the previous generation's tokens, in milliseconds: tabs renew concurrently. */
const graceMs = 30_000;

/** Most former generations kept; more renewals than that within 30 s are no accident. */
const maxFormer = 100;

/**
 * The way in which a token was renewed. `cookie`: all tabs of a browser share it and get the new
 * token at once. `header`: each tab or script holds a token of its own and learns nothing of the
 * new one.
 */
export type RenewedBy = "cookie" | "header";

/**
 * The state of a token's generation in its session: `current`; `former`, within the grace period or
 * replaced in a renewal by header, after which it is valid until it expires; `replayed`, replaced
 * so long ago that either this client or the one that renewed it is a thief; `unknown`, newer than
 * the session itself.
 */
export function generationStatus(
  session: SessionRecord,
  gen: number,
  now: number,
): "current" | "former" | "replayed" | "unknown" {
  if (gen === session.gen) return "current";
  if (gen > session.gen) return "unknown";
  if (gen > replacedIn(session)) return "former";
  const former = session.former.find((each) => gen <= each.gen && gen >= (each.from ?? each.gen));
  return former && now < former.until ? "former" : "replayed";
}

/** The session after a renewal: the next generation, with a full lifetime. */
export function renewed(
  session: SessionRecord,
  now: number,
  lifeMs: number,
  by: RenewedBy,
): SessionRecord {
  const next = { gen: session.gen + 1, lastSeen: now, expires: now + lifeMs };
  const replaced = replacedIn(session);
  if (by === "header") return { ...session, ...next, replaced };

  const living = session.former.filter((generation) => now < generation.until);
  const ended = { gen: session.gen, from: replaced + 1, until: now + graceMs };
  return {
    ...session,
    ...next,
    replaced: session.gen,
    former: [ended, ...living].slice(0, maxFormer),
  };
}

/**
 * The session with no time later than one written now could have: once the clock was set back, a
 * session must not last longer than its lifetime from now.
 */
export function withoutFuture(
  session: SessionRecord,
  now: number,
  lifeMs: number,
): SessionRecord {
  if (session.lastSeen <= now) return session;
  return {
    ...session,
    created: Math.min(session.created, now),
    expires: Math.min(session.expires, now + lifeMs),
    former: session.former.map((each) => ({ ...each, until: Math.min(each.until, now + graceMs) })),
  };
}

function replacedIn({ gen, replaced }: SessionRecord): number {
  return replaced ?? gen - 1;
}
