import { base64url } from "jose";
import { unlessRefused } from "../../../../../shared/unless_refused.ts";
import { isRecord } from "../../../../../shared/schemas/read.ts";
import { Collection } from "../../../../core/kv/collection.ts";
import type { Store } from "../../../../core/kv/store.ts";
import { signJwt, verifyJwt } from "../jwt.ts";

/** How long a user has to answer, in milliseconds. */
const lifeMs = 10 * 60_000;

/** A question to an authenticator. */
export interface PasskeyChallenge {
  /** The host name that it was asked for. */
  party: string;
  /** The passkey to make; null where one is asked to sign in or to prove who it is. */
  creation: {
    userId: number;
    /** The session that asks. */
    sid: string;
    /** The user handle that the passkey gets. */
    handle: string;
  } | null;
}

/** That a question was answered, as the store holds it. */
interface Answered {
  /** The end of the question, in milliseconds since 1970. */
  expires: number;
}

/**
 * A question to a passkey that was answered, by its random id, about 30 bytes, until it would have
 * expired: within ten minutes.
 */
const answeredChallenges = new Collection<Answered>("passkey_challenges", {
  // Longer than that is of a clock that was set back: its question is refused as well.
  expires: ({ expires }, now) => expires <= now || expires > now + 2 * lifeMs,
});

/**
 * The questions to passkeys: texts that an authenticator signs, each answered once. A question is a
 * token that only this server can have signed, so that the open ones are in no store: every visit
 * of the sign-in page may ask one, and strangers cannot fill the store with them. Those that were
 * answered are, until they would have expired.
 */
export class PasskeyChallenges {
  readonly #store: Store;
  readonly #key: CryptoKey;
  readonly #now: () => number;

  /**
   * @param key see `openSigningKey`
   * @param now the clock, in milliseconds since 1970
   */
  constructor(store: Store, key: CryptoKey, now: () => number) {
    this.#store = store;
    this.#key = key;
    this.#now = now;
  }

  /** A new question, in base64url. */
  async begin({ party, creation }: PasskeyChallenge): Promise<string> {
    const iat = this.#now();
    const claims = { jti: crypto.randomUUID(), party, creation };
    const times = { iat, exp: iat + lifeMs };
    return base64url.encode(await signJwt(this.#key, "passkey+jwt", claims, times));
  }

  /**
   * Takes the question that a client's data answers; null when it is none of this server, when the
   * answer took too long, or when it was answered before.
   *
   * @param clientDataJSON as the browser has sent it
   */
  async take(
    clientDataJSON: string,
  ): Promise<{ challenge: string; asked: PasskeyChallenge } | null> {
    const found = challengeIn(clientDataJSON);
    const read = found && await this.#read(found.token);
    if (!found || !read) return null;
    const { id, expires, asked } = read;
    const none = { key: answeredChallenges.key(id), value: null, versionstamp: null };
    const { ok } = await this.#store.atomic((operation) =>
      answeredChallenges.write(operation, none, { expires })
    );
    return ok ? { challenge: found.challenge, asked } : null;
  }

  async #read(
    token: string,
  ): Promise<{ id: string; expires: number; asked: PasskeyChallenge } | null> {
    return await unlessRefused(async () => {
      const { jti, exp, party, creation } = await verifyJwt(
        this.#key,
        "passkey+jwt",
        token,
        this.#now(),
      );
      const asked = { party, creation } as PasskeyChallenge;
      return jti && exp ? { id: jti, expires: exp * 1000, asked } : null;
    });
  }

  /** Removes the records of expired challenges. */
  async removeExpired(): Promise<void> {
    await answeredChallenges.removeExpired(this.#store, this.#now());
  }
}

/**
 * The challenge in a client's data, and the token that it spells; null for what no browser on a
 * page of this site has made.
 */
function challengeIn(clientDataJSON: string): { challenge: string; token: string } | null {
  try {
    const data: unknown = JSON.parse(textOf(clientDataJSON));
    // A page of another site that frames this one gets no answers.
    if (!isRecord(data) || data.crossOrigin === true) return null;
    const { challenge } = data;
    return typeof challenge === "string" ? { challenge, token: textOf(challenge) } : null;
  } catch {
    return null;
  }
}

/** @throws TypeError when it is no base64url of UTF-8 */
function textOf(encoded: string): string {
  return new TextDecoder("utf-8", { fatal: true }).decode(base64url.decode(encoded));
}
