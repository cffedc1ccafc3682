import { DomainError } from "../../../shared/errors.ts";
import type { TotpSetup } from "../../../shared/schemas/factors.ts";
import { commitChange } from "../../kv/commit.ts";
import { factorsKey } from "../../kv/keys/factors.ts";
import { passkeysInUseKey } from "../../kv/keys/passkeys.ts";
import { userKey } from "../../kv/keys/users.ts";
import type { Store } from "../../kv/store.ts";
import { removeSessions } from "../../users/remove_sessions.ts";
import { storedUser, type User } from "../../users/user.ts";
import { signJwt, verifyJwt } from "../jwt.ts";
import {
  countsFactors,
  type FactorsRecord,
  noFactors,
  storedFactors,
  type StoredPasskey,
  type StoredTotp,
} from "./factors_record.ts";
import { digestOf, makeRecoveryCodes, readRecoveryCode } from "./recovery_codes.ts";
import { makeSecret, stepAt, stepOfCode, totpAddress } from "./totp.ts";

/** Time in which a set-up that was begun must be confirmed, in milliseconds. */
const setupLifeMs = 15 * 60_000;

/** Most passkeys of one user. */
const mostPasskeys = 10;

/** A change of a user's factors, which has ended all the user's sessions. */
export interface FactorsChange {
  user: User;
  /** New recovery codes, if the user had no factor before; null otherwise. */
  recoveryCodes: string[] | null;
}

/**
 * The second factors of users. A user's record tells whether there are any, so that those without
 * cost no further read. Setting one up and removing one ends the user's sessions in the same atomic
 * commit, as a new password does.
 */
export class SecondFactors {
  readonly #store: Store;
  readonly #key: CryptoKey;
  readonly #now: () => number;

  /**
   * @param key see `openSigningKey`
   * @param now the clock, in milliseconds since 1970
   */
  constructor(store: Store, key: CryptoKey, now: () => number = () => Date.now()) {
    this.#store = store;
    this.#key = key;
    this.#now = now;
  }

  /** The factors of a user. */
  async of({ id, hasFactors }: Pick<User, "id" | "hasFactors">): Promise<FactorsRecord> {
    if (!hasFactors) return noFactors;
    return storedFactors((await this.#store.get<FactorsRecord>(factorsKey(id))).value);
  }

  /**
   * Begins to set up an authenticator app. Nothing is stored: the secret comes back with the
   * confirmation, in a token that only this server can have signed.
   *
   * @param issuer the name of the site
   */
  async beginTotp({ id, username }: User, issuer: string): Promise<TotpSetup> {
    const secret = await makeSecret();
    const iat = this.#now();
    const times = { iat, exp: iat + setupLifeMs };
    const setup = await signJwt(this.#key, "totp+jwt", { uid: id, secret }, times);
    return { setup, secret, uri: await totpAddress({ secret, issuer, username }) };
  }

  /**
   * The app of a set-up, proved by a code of it to have the secret.
   *
   * @param setup of `beginTotp()`
   * @throws DomainError `not_found` when the set-up was not begun for this user, or too long ago;
   * `invalid_option` for a wrong code
   */
  async readTotp(user: User, setup: string, code: string): Promise<StoredTotp> {
    const secret = await this.#readSetup(user, setup);
    const lastStep = await stepOfCode(secret, plainCode(code), this.#now());
    if (lastStep !== null) return { secret, lastStep };
    throw new DomainError("invalid_option", "Cannot set up the app: its code is wrong");
  }

  /**
   * Sets up an authenticator app.
   *
   * @param totp of `readTotp()`
   * @throws DomainError `exists` when there is an app
   */
  async addTotp(userId: number, totp: StoredTotp): Promise<FactorsChange> {
    return await this.#change(userId, (record) => {
      if (record.totp) {
        throw new DomainError("exists", "Cannot set up the app: there is one already");
      }
      return { ...record, totp };
    });
  }

  /**
   * Removes the authenticator app; without another factor the recovery codes go, too.
   *
   * @throws DomainError `not_found` when there is none
   */
  async removeTotp(userId: number): Promise<User> {
    const { user } = await this.#change(userId, (record) => {
      if (!record.totp) throw new DomainError("not_found", "Cannot remove the app: there is none");
      return { ...record, totp: null };
    });
    return user;
  }

  /**
   * Adds a passkey.
   *
   * @throws DomainError `exists` for one that is there; `invalid_option` for too many
   */
  async addPasskey(userId: number, passkey: StoredPasskey): Promise<FactorsChange> {
    return await this.#change(userId, (record) => {
      if (record.passkeys.some(({ id }) => id === passkey.id)) {
        throw new DomainError("exists", "Cannot add the passkey: it is there already");
      }
      if (record.passkeys.length >= mostPasskeys) {
        const message = `Cannot add the passkey: there are ${mostPasskeys} already`;
        throw new DomainError("invalid_option", message);
      }
      return { ...record, passkeys: [...record.passkeys, passkey] };
    }, (operation) => operation.set(passkeysInUseKey(), true));
  }

  /**
   * Removes a passkey; without another factor the recovery codes go, too.
   *
   * @throws DomainError `not_found` when there is none of this id
   */
  async removePasskey(userId: number, passkeyId: string): Promise<User> {
    const { user } = await this.#change(userId, (record) => {
      const passkeys = record.passkeys.filter(({ id }) => id !== passkeyId);
      if (passkeys.length < record.passkeys.length) return { ...record, passkeys };
      throw new DomainError("not_found", "Cannot remove the passkey: there is none of this id");
    });
    return user;
  }

  /** Removes all factors of a user, who cannot sign in with them any more. */
  async reset(userId: number): Promise<User> {
    return (await this.#change(userId, () => noFactors)).user;
  }

  /**
   * Replaces the recovery codes, used or not. Sessions go on.
   *
   * @throws DomainError `not_found` when the user has no factor
   */
  async renewRecovery(userId: number): Promise<string[]> {
    const codes = makeRecoveryCodes();
    await commitChange(this.#store, async () => {
      const entry = await this.#store.get<FactorsRecord>(factorsKey(userId));
      if (!entry.value) {
        throw new DomainError("not_found", "Cannot make recovery codes: there is no second factor");
      }
      const next = { ...entry.value, recovery: digestsOf(userId, codes) };
      return {
        result: undefined,
        build: (operation) => operation.check(entry).set(entry.key, next),
      };
    });
    return codes;
  }

  /**
   * Whether a code is a present one of the user's app, or a recovery code. Either is accepted once:
   * of two requests at the same time, one.
   */
  async proves(userId: number, code: string): Promise<boolean> {
    return await commitChange(this.#store, async () => {
      const entry = await this.#store.get<FactorsRecord>(factorsKey(userId));
      const record = storedFactors(entry.value);
      const next = await this.#used(userId, record, code);
      if (!next) return { result: false, build: null };
      return { result: true, build: (operation) => operation.check(entry).set(entry.key, next) };
    });
  }

  /** The record after a code was used; null for a wrong one. */
  async #used(userId: number, record: FactorsRecord, typed: string): Promise<FactorsRecord | null> {
    const recoveryCode = readRecoveryCode(typed);
    const digest = digestOf(userId, recoveryCode ?? "");
    const isRecovery = recoveryCode !== null && record.recovery.includes(digest);
    const { totp } = record;
    const step = totp && await stepOfCode(totp.secret, plainCode(typed), this.#now());
    if (isRecovery) {
      return { ...record, recovery: record.recovery.filter((each) => each !== digest) };
    }
    if (totp === null || step === null || !this.#isNewStep(step, totp.lastStep)) return null;
    return { ...record, totp: { ...totp, lastStep: step } };
  }

  /** A last step in the future is of a clock that was set back since: no code could follow it. */
  #isNewStep(step: number, lastStep: number): boolean {
    return step > lastStep || lastStep > stepAt(this.#now()) + 1;
  }

  async #change(
    userId: number,
    change: (record: FactorsRecord) => FactorsRecord,
    also: (operation: Deno.AtomicOperation) => Deno.AtomicOperation = (operation) => operation,
  ): Promise<FactorsChange> {
    const codes = makeRecoveryCodes();
    const changed = await commitChange(this.#store, async () => {
      const [account, entry] = await this.#store.getMany<[User, FactorsRecord]>([
        userKey(userId),
        factorsKey(userId),
      ]);
      if (account.versionstamp === null) {
        throw new DomainError("not_found", `Cannot find the user ${userId}: there is none`);
      }
      const next = change(storedFactors(entry.value));
      const hasFactors = countsFactors(next);
      const isFirst = hasFactors && entry.value === null;
      const record = isFirst ? { ...next, recovery: digestsOf(userId, codes) } : next;
      const former = storedUser(account.value);
      const { version, epoch } = former;
      const user = { ...former, hasFactors, version: version + 1, epoch: epoch + 1 };
      return {
        result: { user, recoveryCodes: isFirst ? codes : null },
        build: (operation) => {
          also(operation.check(account, entry).set(account.key, user));
          return hasFactors ? operation.set(entry.key, record) : operation.delete(entry.key);
        },
      };
    });
    await removeSessions(this.#store, userId, ({ epoch }) => epoch < changed.user.epoch);
    return changed;
  }

  async #readSetup(user: User, setup: string): Promise<string> {
    try {
      const { uid, secret } = await verifyJwt(this.#key, "totp+jwt", setup, this.#now());
      if (uid === user.id && typeof secret === "string") return secret;
    } catch (error) {
      if (!(error instanceof DomainError)) throw error;
    }
    throw new DomainError("not_found", "Cannot set up the app: begin again, it took too long");
  }
}

function digestsOf(userId: number, codes: readonly string[]): string[] {
  return codes.map((code) => digestOf(userId, code.replaceAll("-", "")));
}

/** A code without the gaps that apps show in it: "123 456". */
function plainCode(typed: string): string {
  return typed.replace(/[\s-]/g, "");
}
