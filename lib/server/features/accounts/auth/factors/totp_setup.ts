import { DomainError } from "../../../../../shared/errors.ts";
import type { TotpSetup } from "../../../../../shared/schemas/factors.ts";
import type { User } from "../../users/user.ts";
import { signJwt, verifyJwt } from "../jwt.ts";
import type { StoredTotp } from "./factors_record.ts";
import { makeSecret, stepOfCode, totpAddress } from "./totp.ts";

/** Time in which a set-up that was begun must be confirmed, in milliseconds. */
const setupLifeMs = 15 * 60_000;

/** A set-up under way: the user, the server's key, the time in milliseconds since 1970. */
interface SettingUp {
  key: CryptoKey;
  user: Pick<User, "id" | "username">;
  now: number;
}

/**
 * Begins to set up an authenticator app. Nothing is stored: the secret comes back with the
 * confirmation, in a token that only this server can have signed.
 *
 * @param issuer the name of the site
 */
export async function beginTotp(
  { key, user: { id, username }, now }: SettingUp,
  issuer: string,
): Promise<TotpSetup> {
  const secret = await makeSecret();
  const times = { iat: now, exp: now + setupLifeMs };
  const setup = await signJwt(key, "totp+jwt", { uid: id, secret }, times);
  return { setup, secret, uri: await totpAddress({ secret, issuer, username }) };
}

/**
 * The app of a set-up, proved by a code of it to have the secret.
 *
 * @param setup of `beginTotp()`
 * @throws DomainError `not_found` when the set-up was not begun for this user, or too long ago;
 * `invalid_option` for a wrong code
 */
export async function readTotp(
  settingUp: SettingUp,
  setup: string,
  code: string,
): Promise<StoredTotp> {
  const secret = await readSetup(settingUp, setup);
  const lastStep = await stepOfCode(secret, plainCode(code), settingUp.now);
  if (lastStep !== null) return { secret, lastStep };
  throw new DomainError("invalid_option", "Cannot set up the app: its code is wrong");
}

async function readSetup({ key, user, now }: SettingUp, setup: string): Promise<string> {
  try {
    const { uid, secret } = await verifyJwt(key, "totp+jwt", setup, now);
    if (uid === user.id && typeof secret === "string") return secret;
  } catch (error) {
    if (!(error instanceof DomainError)) throw error;
  }
  throw new DomainError(
    "not_found",
    "Cannot set up the app: the time limit has passed; start again",
  );
}

/** A code without the gaps that apps show in it: "123 456". */
export function plainCode(typed: string): string {
  return typed.replace(/[\s-]/g, "");
}
