import type { Factors } from "../../../shared/schemas/factors.ts";

/** An authenticator app that a user has set up. */
export interface StoredTotp {
  /** The shared secret, in base32. */
  secret: string;
  /**
   * The time step of the newest code that was accepted. Codes of that step and of those before it
   * are refused: an onlooker must not use one again (RFC 6238, 5.2).
   */
  lastStep: number;
}

/** The second factors of a user, as the store holds them. Those who have none have no record. */
export interface FactorsRecord {
  totp: StoredTotp | null;
  /** Digests of the recovery codes that are not used up; see `digestOf`. */
  recovery: string[];
}

/** The record of a user without factors. */
export const noFactors: FactorsRecord = { totp: null, recovery: [] };

/** The factors as their owner sees them: without secrets. */
export function toFactors({ totp, recovery }: FactorsRecord): Factors {
  return { totp: totp !== null, recoveryCodes: recovery.length };
}
