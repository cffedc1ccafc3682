/** The options of signing in by a name and a password, and of the ways in their place. */
import type { Members, OptionTable, ReadFrom } from "./option.ts";
import { StartRefusal } from "./refusal.ts";
import {
  orNone,
  readHeaderName,
  readOrigin,
  readText,
  readTrimmed,
  refuseHalf,
  word,
} from "./values.ts";

/** How users sign in. */
export const authOptions = {
  "auth-method": {
    value: "METHOD",
    help: "sign-in method: json, hook, noauth or proxy",
    read: word("json", "hook", "noauth", "proxy"),
    default: "json",
    member: null,
    stored: true,
  },
  "auth-command": {
    value: "COMMAND",
    help: "program that checks passwords, for hook",
    read: readText,
    member: null,
    stored: true,
  },
  "auth-header": {
    value: "HEADER",
    help: "header that names the user, for proxy",
    read: readHeaderName,
    default: "X-Forwarded-User",
    stored: true,
  },
  "auth-create-users": {
    help: "create users for unknown names, for proxy and hook, without special rights",
    stored: true,
  },
} as const satisfies OptionTable;

/** The authentication method. */
export type AuthMethod = ReturnType<typeof authOptions["auth-method"]["read"]>;

/**
 * Chooses how users sign in; `--noauth` is short for one of the methods.
 *
 * @param named the value of `--auth-method`
 * @param isNoauth the value of `--noauth`
 * @throws StartRefusal when the two contradict each other
 */
export function chooseAuthMethod(
  named: AuthMethod,
  isNoauth: boolean,
  given: ReadFrom["given"],
): AuthMethod {
  const method = given("auth-method");
  if (!isNoauth) return named;
  if (method === undefined || named === "noauth") return "noauth";
  throw new StartRefusal(`Cannot use ${given("noauth")?.source}: ${method.source} says ${named}`);
}

/** A captcha before signing in. */
export const recaptchaOptions = {
  "recaptcha-key": {
    value: "KEY",
    aliases: ["AUTH_RECAPTCHA_KEY"],
    help: "site key of a reCAPTCHA v2 to solve before signing in",
    read: readTrimmed,
    default: "",
    stored: true,
  },
  "recaptcha-secret": {
    value: "SECRET",
    aliases: ["AUTH_RECAPTCHA_SECRET"],
    help: "secret of that site key",
    read: readTrimmed,
    default: "",
    stored: true,
    secret: true,
  },
  "recaptcha-host": {
    value: "URL",
    aliases: ["AUTH_RECAPTCHA_HOST"],
    help: "server of that reCAPTCHA",
    read: orNone(readOrigin),
    default: "https://www.google.com",
    stored: true,
  },
} as const satisfies OptionTable;

/**
 * The site of a reCAPTCHA (version 2), whose widget visitors solve before they sign in. `host` is
 * the origin of widget and verifier, `key` is public.
 */
export type Recaptcha = Members<typeof recaptchaOptions, "recaptcha-">;

/**
 * Refuses half of a captcha; undefined without one.
 *
 * @throws StartRefusal
 */
export function checkRecaptcha(recaptcha: Recaptcha): Recaptcha | undefined {
  const { host, key, secret } = recaptcha;
  if (key === "" && secret === "") return undefined;
  refuseHalf("recaptcha-key", key, "recaptcha-secret", secret);
  return { host, key, secret };
}
