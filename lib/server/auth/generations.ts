import type { SessionRecord } from "./session.ts";

/** How long the tokens of the former generation go on, in milliseconds: tabs renew at once. */
const graceMs = 30_000;

/** How many former generations are remembered; more renewals than that in 30 s are no accident. */
const mostFormer = 100;

/**
 * Where a token's generation stands in its session: `current`; `former`, within the grace;
 * `replayed`, put out of use long enough ago that whoever holds it has stolen it or been stolen
 * from; `unknown`, newer than the session itself.
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

/** The session after a renewal: the next generation, with a whole life before it. */
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
