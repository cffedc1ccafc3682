import type { SessionRecord } from "./session.ts";

/** Grace period of the previous generation's tokens, in milliseconds: tabs renew concurrently. */
const graceMs = 30_000;

/** Most former generations kept; more renewals than that within 30 s are no accident. */
const mostFormer = 100;

/**
 * The state of a token's generation in its session: `current`; `former`, within the grace period;
 * `replayed`, replaced so long ago that either this client or the one that renewed it is a thief;
 * `unknown`, newer than the session itself.
 */
export function generationStatus(
  session: SessionRecord,
  gen: number,
  now: number,
): "current" | "former" | "replayed" | "unknown" {
  if (gen === session.gen) return "current";
  if (gen > session.gen) return "unknown";
  const former = session.former.find((generation) => generation.gen === gen);
  return former && now < former.until ? "former" : "replayed";
}

/** The session after a renewal: the next generation, with a full lifetime. */
export function renewed(session: SessionRecord, now: number, lifeMs: number): SessionRecord {
  const living = session.former.filter((generation) => now < generation.until);
  return {
    ...session,
    gen: session.gen + 1,
    former: [{ gen: session.gen, until: now + graceMs }, ...living].slice(0, mostFormer),
    lastSeen: now,
    expires: now + lifeMs,
  };
}
