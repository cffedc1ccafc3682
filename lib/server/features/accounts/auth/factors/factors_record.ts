import { isoOf } from "../../../../../shared/time.ts";
import type { Factors } from "../../../../../shared/schemas/factors.ts";
import {
  type FactorMethod,
  factorMethods as factorMethodNames,
} from "../../../../../shared/schemas/choices/choices.ts";
import type { PasskeyInfo } from "../../../../../shared/schemas/passkeys.ts";
import { Collection } from "../../../../core/kv/collection.ts";

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

/** A passkey that a user has set up. */
export interface StoredPasskey {
  /** The id of the credential, in base64url. */
  id: string;
  /** As its user has named it. */
  name: string;
  /** The public key (COSE), in base64url. */
  publicKey: string;
  /** How often it had signed when it was seen last; 0 for authenticators that do not count. */
  counter: number;
  /** The user handle of the authenticator, in base64url. */
  handle: string;
  /** The host name that it is for. */
  party: string;
  /** In milliseconds since 1970. */
  created: number;
  /** In milliseconds since 1970; null while it was not used. */
  lastUsed: number | null;
}

/** The second factors of a user, as the store holds them. Those who have none have no record. */
export interface FactorsRecord {
  totp: StoredTotp | null;
  /** The oldest first. */
  passkeys: StoredPasskey[];
  /** Digests of the recovery codes that are not used up; see `digestOf`. */
  recovery: string[];
}

/** The second factors of a user: one record of at most 30 KiB. */
export const factorsRecords = new Collection<FactorsRecord, [userId: number]>("factors");

/** Set once any user has set up a passkey: the sign-in page offers it from then on. */
export const passkeysInUse = new Collection<true, []>("passkeys_in_use");

/** The record of a user without factors. */
export const noFactors: FactorsRecord = { totp: null, passkeys: [], recovery: [] };

/** A record of the store with what records of former versions lack. */
export function storedFactors(record: Partial<FactorsRecord> | null): FactorsRecord {
  return { ...noFactors, ...record };
}

/** Whether a user with this record needs one of its factors to sign in. */
export function countsFactors({ totp, passkeys }: FactorsRecord): boolean {
  return totp !== null || passkeys.length > 0;
}

/** The factors as their owner sees them: without secrets. */
export function toFactors({ totp, passkeys, recovery }: FactorsRecord): Factors {
  return {
    totp: totp !== null,
    passkeys: passkeys.map(toPasskeyInfo),
    recoveryCodes: recovery.length,
  };
}

/** A passkey as its owner sees it. */
export function toPasskeyInfo({ id, name, party, created, lastUsed }: StoredPasskey): PasskeyInfo {
  return {
    id,
    name,
    host: party,
    created: isoOf(created),
    lastUsed: lastUsed === null ? null : isoOf(lastUsed),
  };
}

/**
 * The proofs that a user may send besides the password.
 *
 * @param party the host name, which passkeys are bound to; null where none counts
 */
export function factorMethods(
  { totp, passkeys, recovery }: FactorsRecord,
  party: string | null,
): FactorMethod[] {
  const has: Record<FactorMethod, boolean> = {
    totp: totp !== null,
    passkey: passkeys.some((passkey) => passkey.party === party),
    recovery: recovery.length > 0,
  };
  return factorMethodNames.filter((method) => has[method]);
}
