import { DomainError } from "../../../../../shared/errors.ts";
import type { TotpSetup } from "../../../../../shared/schemas/factors.ts";
import { type AtomicStep, commitChange, noChange } from "../../../../core/kv/commit.ts";
import type { Store } from "../../../../core/kv/store.ts";
import { storedUser, type User } from "../../users/user.ts";
import { removeSessions, userRecords } from "../../users/user_records.ts";
import { unauthenticatedError } from "../jwt.ts";
import {
  countsFactors,
  type FactorsRecord,
  factorsRecords,
  noFactors,
  passkeysInUse,
  storedFactors,
  type StoredPasskey,
  type StoredTotp,
} from "./factors_record.ts";
import { digestOf, makeRecoveryCodes, readRecoveryCode } from "./recovery_codes.ts";
import { stepAt, stepOfCode } from "./totp.ts";
import { beginTotp, plainCode, readTotp } from "./totp_setup.ts";

/** Most passkeys of one user. */
const maxPasskeys = 10;

/** A change of a user's factors, which has ended all the user's sessions. */
export interface FactorsChange {
  user: User;
  /** New recovery codes, if the user had no factor before; null otherwise. */
  recoveryCodes: string[] | null;
}

/** A user as the session has it that asks for a change. */
type Asking = Pick<User, "id" | "epoch">;

/**
 * The second factors of users. A user's record tells whether there are any, so that those without
 * cost no further read. Setting one up and removing one ends the user's sessions in the same atomic
 * commit, as a new password does. Of two changes at the same time, which both were proved by what
 * there was before, one is refused: else a borrowed session could add its own factor beside the
 * first one of its owner.
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
    return storedFactors(await factorsRecords.get(this.#store, id));
  }

  /** Begins to set up an authenticator app: see `beginTotp`. */
  beginTotp(user: User, issuer: string): Promise<TotpSetup> {
    return beginTotp({ key: this.#key, user, now: this.#now() }, issuer);
  }

  /** The app of a set-up, proved by a code: see `readTotp`. */
  readTotp(user: User, setup: string, code: string): Promise<StoredTotp> {
    return readTotp({ key: this.#key, user, now: this.#now() }, setup, code);
  }

  /**
   * Sets up an authenticator app.
   *
   * @param totp of `readTotp()`
   * @throws DomainError `exists` when there is an app; `not_signed_in` once the session has ended
   */
  async addTotp(asking: Asking, totp: StoredTotp): Promise<FactorsChange> {
    return await this.#change(asking, (record) => {
      if (record.totp) {
        throw new DomainError("exists", "Cannot set up the app: one is set up already");
      }
      return { ...record, totp };
    });
  }

  /**
   * Removes the authenticator app; without another factor the recovery codes go, too.
   *
   * @throws DomainError `not_found` when there is none; `not_signed_in` once the session has ended
   */
  async removeTotp(asking: Asking): Promise<User> {
    const { user } = await this.#change(asking, (record) => {
      if (!record.totp) throw new DomainError("not_found", "Cannot remove the app: none is set up");
      return { ...record, totp: null };
    });
    return user;
  }

  /**
   * Adds a passkey.
   *
   * @throws DomainError `exists` for one that is there; `invalid_option` for too many;
   * `not_signed_in` once the session has ended
   */
  async addPasskey(asking: Asking, passkey: StoredPasskey): Promise<FactorsChange> {
    return await this.#change(asking, (record) => {
      if (record.passkeys.some(({ id }) => id === passkey.id)) {
        throw new DomainError("exists", "Cannot add the passkey: it is registered already");
      }
      if (record.passkeys.length >= maxPasskeys) {
        const message = `Cannot add the passkey: at most ${maxPasskeys} are allowed`;
        throw new DomainError("invalid_option", message);
      }
      return { ...record, passkeys: [...record.passkeys, passkey] };
    }, (operation) => passkeysInUse.put(operation, [], true));
  }

  /**
   * Removes a passkey, which is given back; without another factor the recovery codes go, too.
   *
   * @throws DomainError `not_found` when there is none of this id; `not_signed_in` once the session
   * has ended
   */
  async removePasskey(
    asking: Asking,
    passkeyId: string,
  ): Promise<{ user: User; removed: StoredPasskey }> {
    let removed: StoredPasskey | undefined;
    const { user } = await this.#change(asking, (record) => {
      removed = passkeyOf(record, passkeyId, "remove");
      return { ...record, passkeys: record.passkeys.filter((each) => each !== removed) };
    });
    if (removed) return { user, removed };
    throw new Error("The second factors changed, but the change was not stored");
  }

  /**
   * Gives a passkey another name. Sessions go on.
   *
   * @throws DomainError `not_found` when there is none of this id
   */
  async renamePasskey(userId: number, passkeyId: string, name: string): Promise<StoredPasskey> {
    const changed = await factorsRecords.update(this.#store, [userId], (now) => {
      const record = storedFactors(now);
      const former = passkeyOf(record, passkeyId, "rename");
      const passkeys = record.passkeys.map((each) => each === former ? { ...each, name } : each);
      return { ...record, passkeys };
    });
    return passkeyOf(changed, passkeyId, "rename");
  }

  /** Removes all factors of a user, who cannot sign in with them any more. */
  async reset(userId: number): Promise<User> {
    return (await this.#change({ id: userId }, () => noFactors)).user;
  }

  /**
   * Replaces the recovery codes, used or not. Sessions go on.
   *
   * @throws DomainError `not_found` when the user has no factor
   */
  async renewRecovery(userId: number): Promise<string[]> {
    const codes = makeRecoveryCodes();
    await factorsRecords.update(this.#store, [userId], (record) => {
      if (!record) {
        throw new DomainError(
          "not_found",
          "Cannot create recovery codes: no second factor is set up",
        );
      }
      return { ...record, recovery: digestsOf(userId, codes) };
    });
    return codes;
  }

  /**
   * Whether a code is a present one of the user's app, or a recovery code. Either is accepted once:
   * of two requests at the same time, one.
   */
  async verify(userId: number, code: string): Promise<boolean> {
    const next = await factorsRecords.update(
      this.#store,
      [userId],
      (record) => this.#used(userId, storedFactors(record), code),
    );
    return next !== undefined;
  }

  /** The record after a code was used; undefined for a wrong one. */
  async #used(
    userId: number,
    record: FactorsRecord,
    typed: string,
  ): Promise<FactorsRecord | undefined> {
    const recoveryCode = readRecoveryCode(typed);
    const digest = digestOf(userId, recoveryCode ?? "");
    const isRecovery = recoveryCode !== null && record.recovery.includes(digest);
    const { totp } = record;
    const step = totp && await stepOfCode(totp.secret, plainCode(typed), this.#now());
    if (isRecovery) {
      return { ...record, recovery: record.recovery.filter((each) => each !== digest) };
    }
    if (totp === null || step === null || !this.#isNewStep(step, totp.lastStep)) {
      return undefined;
    }
    return { ...record, totp: { ...totp, lastStep: step } };
  }

  /** A last step in the future is of a clock that was set back since: no code could follow it. */
  #isNewStep(step: number, lastStep: number): boolean {
    return step > lastStep || lastStep > stepAt(this.#now()) + 1;
  }

  /** @param asking with an epoch: of the session, which must not have ended since */
  async #change(
    { id: userId, epoch: asked }: Pick<User, "id"> & Partial<Asking>,
    change: (record: FactorsRecord) => FactorsRecord,
    also: AtomicStep = noChange,
  ): Promise<FactorsChange> {
    const codes = makeRecoveryCodes();
    const changed = await commitChange(this.#store, async () => {
      const [account, entry] = await this.#store.getMany<[User, FactorsRecord]>([
        userRecords.key(userId),
        factorsRecords.key(userId),
      ]);
      if (account.versionstamp === null) {
        throw new DomainError("not_found", `Cannot find the user ${userId}: no such user`);
      }
      const next = change(storedFactors(entry.value));
      const hasFactors = countsFactors(next);
      const isFirst = hasFactors && entry.value === null;
      const record = isFirst ? { ...next, recovery: digestsOf(userId, codes) } : next;
      const former = storedUser(account.value);
      if (asked !== undefined && asked !== former.epoch) {
        throw unauthenticatedError("the session has ended");
      }
      const { version, epoch } = former;
      const user = { ...former, hasFactors, version: version + 1, epoch: epoch + 1 };
      return {
        result: { user, recoveryCodes: isFirst ? codes : null },
        build: (operation) => {
          also(operation.check(account).set(account.key, user));
          return factorsRecords.write(operation, entry, hasFactors ? record : null);
        },
      };
    });
    await removeSessions(this.#store, userId, ({ epoch }) => epoch < changed.user.epoch);
    return changed;
  }
}

/** @throws DomainError `not_found` */
function passkeyOf(record: FactorsRecord, id: string, act: string): StoredPasskey {
  const found = record.passkeys.find((each) => each.id === id);
  if (found) return found;
  throw new DomainError("not_found", `Cannot ${act} the passkey: no such id`);
}

function digestsOf(userId: number, codes: readonly string[]): string[] {
  return codes.map((code) => digestOf(userId, code.replaceAll("-", "")));
}
