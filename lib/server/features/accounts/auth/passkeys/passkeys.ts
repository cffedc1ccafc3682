import { DomainError } from "../../../../../shared/errors.ts";
import type {
  NewPasskey,
  PasskeyAnswer,
  PasskeyCreation,
  PasskeyQuestion,
} from "../../../../../shared/schemas/passkeys.ts";
import type { Store } from "../../../../core/kv/store.ts";
import type { User } from "../../users/user.ts";
import type { Users } from "../../users/users.ts";
import type { SecondFactors } from "../factors/factors.ts";
import {
  factorsRecords,
  passkeysInUse,
  storedFactors,
  type StoredPasskey,
} from "../factors/factors_record.ts";
import type { LoginThrottle } from "../login_throttle.ts";
import type { Client, SignedIn } from "../session.ts";
import type { Opened, Sessions } from "../sessions.ts";
import { PasskeyChallenges } from "./passkey_challenges.ts";
import { checkParty, type RelyingParty } from "./relying_party.ts";
import { algorithms, counterOfAnswer, readNewPasskey } from "./verify_passkey.ts";

/** Dependencies of the passkeys. */
export interface PasskeysOptions {
  store: Store;
  /** See `openSigningKey`. */
  key: CryptoKey;
  users: Pick<Users, "get">;
  factors: SecondFactors;
  attempts: LoginThrottle;
  sessions: Pick<Sessions, "open">;
  /** The clock, in milliseconds since 1970; the system's by default. */
  now?: () => number;
}

/** Time that a browser gives its user to answer, in milliseconds. */
const timeout = 5 * 60_000;

/**
 * Passkeys (WebAuthn): keys that a user's devices hold, each for one host name. All are
 * discoverable and verify their user, by a PIN or a finger, so that one signs in without a name and
 * a password; after a password it counts as the second factor.
 */
export class Passkeys {
  readonly #options: PasskeysOptions;
  readonly #now: () => number;

  /** The questions. */
  readonly challenges: PasskeyChallenges;

  constructor(options: PasskeysOptions) {
    this.#options = options;
    this.#now = options.now ?? (() => Date.now());
    this.challenges = new PasskeyChallenges(options.store, options.key, this.#now);
  }

  /** Whether any user has ever set one up. */
  async areInUse(): Promise<boolean> {
    return await passkeysInUse.get(this.#options.store) !== null;
  }

  /**
   * Begins to make a passkey for the user of a session, who has proved to be it.
   *
   * @param site the name of the site
   * @throws DomainError `invalid_option` where browsers make none
   */
  async beginCreation(
    { user, session }: Pick<SignedIn, "user" | "session">,
    party: RelyingParty,
    site: string,
  ): Promise<PasskeyCreation> {
    checkParty(party);
    const { passkeys } = await this.#options.factors.of(user);
    const handle = passkeys[0]?.handle ?? newHandle(user.id);
    const creation = { userId: user.id, sid: session.sid, handle };
    const challenge = await this.challenges.begin({ party: party.id, creation });
    return {
      challenge,
      rp: { id: party.id, name: site },
      user: { id: handle, name: user.username, displayName: user.username },
      pubKeyCredParams: algorithms.map((alg) => ({ type: "public-key", alg })),
      timeout,
      attestation: "none",
      excludeCredentials: passkeys.filter((passkey) => passkey.party === party.id)
        .map(({ id }) => ({ type: "public-key", id })),
      authenticatorSelection: {
        residentKey: "required",
        requireResidentKey: true,
        userVerification: "required",
      },
    };
  }

  /**
   * The passkey that a browser has made for the session that has asked for it.
   *
   * @throws DomainError `not_found` when it was not begun by this session, or too long ago;
   * `invalid_option` for an answer that proves nothing
   */
  async readCreated(
    { user, session }: Pick<SignedIn, "user" | "session">,
    party: RelyingParty,
    answer: NewPasskey,
    name: string,
  ): Promise<StoredPasskey> {
    const taken = await this.challenges.take(answer.response.clientDataJSON);
    const creation = taken?.asked.creation;
    const isTheirs = creation?.userId === user.id && creation.sid === session.sid &&
      taken?.asked.party === party.id;
    if (!taken || !creation || !isTheirs) {
      throw new DomainError(
        "not_found",
        "Cannot add the passkey: the time limit has passed; start again",
      );
    }
    const read = await readNewPasskey({ answer, challenge: taken.challenge, party });
    const { handle } = creation;
    return { ...read, name, handle, party: party.id, created: this.#now(), lastUsed: null };
  }

  /**
   * A question to whatever passkey the user of a browser has for this site. It names none, so that
   * strangers learn nothing.
   */
  async ask(party: RelyingParty): Promise<PasskeyQuestion> {
    const challenge = await this.challenges.begin({ party: party.id, creation: null });
    return { challenge, rpId: party.id, timeout, userVerification: "required" };
  }

  /** Whether an answer is that of a user's passkey, which is noted as used. */
  async verify(userId: number, party: RelyingParty, answer: PasskeyAnswer): Promise<boolean> {
    const taken = await this.challenges.take(answer.response.clientDataJSON);
    if (!taken || taken.asked.creation || taken.asked.party !== party.id) return false;
    const { challenge } = taken;
    const next = await factorsRecords.update(this.#options.store, [userId], async (now) => {
      const record = storedFactors(now);
      const passkey = record.passkeys.find(({ id }) => id === answer.id);
      const isHere = passkey?.party === party.id;
      const counter = isHere ? await counterOfAnswer(passkey, { answer, challenge, party }) : null;
      if (counter === null) return undefined;
      const lastUsed = this.#now();
      const passkeys = record.passkeys.map((each) =>
        each === passkey ? { ...each, counter, lastUsed } : each
      );
      return { ...record, passkeys };
    });
    return next !== undefined;
  }

  /**
   * Opens a session by a passkey alone. Wrong answers are counted like wrong passwords: against the
   * user whom the passkey names, or against one counter for all unknown ones.
   *
   * @throws DomainError `wrong_credentials`; `throttled` with `retryAfter`
   */
  async signIn(party: RelyingParty, answer: PasskeyAnswer, client: Client): Promise<Opened> {
    const { attempts, users, sessions } = this.#options;
    const owner = await this.#ownerOf(answer);
    const account = owner ? `user:${owner.username}` : "passkey:unknown";
    const verified = await attempts.throttled(account, client.address, async () => {
      return owner && await this.verify(owner.id, party, answer) ? owner : null;
    });
    if (verified) return await sessions.open(await users.get(verified.id), client);
    const message = "Cannot sign in: unknown passkey, or its proof failed";
    throw new DomainError("wrong_credentials", message);
  }

  /** The user with a passkey of this id under this handle; null for others. */
  async #ownerOf({ id, response }: PasskeyAnswer): Promise<User | null> {
    const userId = userIdIn(response.userHandle);
    if (userId === null) return null;
    const { users, factors } = this.#options;
    const { passkeys } = await factors.of({ id: userId, hasFactors: true });
    const isKnown = passkeys.some((each) => each.id === id && each.handle === response.userHandle);
    return isKnown ? await users.get(userId) : null;
  }
}

/**
 * A user handle, which a passkey gives back at the sign-in: the user's number and 24 random bytes,
 * in base64url. Two servers of one host name have different ones for users of the same number.
 */
function newHandle(userId: number): string {
  const bytes = crypto.getRandomValues(new Uint8Array(32));
  new DataView(bytes.buffer).setFloat64(0, userId);
  return bytes.toBase64({ alphabet: "base64url", omitPadding: true });
}

function userIdIn(handle: string): number | null {
  if (!/^[\w-]{43}$/.test(handle)) return null;
  const userId = new DataView(bytesOf(handle).buffer).getFloat64(0);
  return Number.isSafeInteger(userId) && userId > 0 ? userId : null;
}

function bytesOf(base64url: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.fromBase64(base64url, { alphabet: "base64url" });
}
