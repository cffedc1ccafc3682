import type { AuthMethod, Recaptcha } from "./config.ts";
import type { GivenValue } from "./options.ts";
import { refuseHalf } from "./read_sign_in.ts";
import { StartRefusal } from "./refusal.ts";
import type { Given } from "./sources.ts";
import { readOrigin, readSwitch, readWord, type ValueOf } from "./values.ts";

/** The default host of reCAPTCHA. */
const google = "https://www.google.com";

/** Reads how users sign in; `--noauth` is short for one of the methods. */
export function readAuthMethod(given: Given): AuthMethod {
  const method = given("auth-method");
  const named = method && readWord<AuthMethod>(method, ["json", "hook", "noauth", "proxy"]);
  const noauth = given("noauth");
  if (!noauth || !readSwitch(noauth)) return named ?? "json";
  if (method === undefined || named === "noauth") return "noauth";
  throw new StartRefusal(`Cannot use ${noauth.source}: ${method.source} says ${named}`);
}

/** An empty key or secret overrides another source's. */
export function readRecaptcha(valueOf: ValueOf): Recaptcha | undefined {
  const text = ({ text }: GivenValue) => text.trim();
  const key = valueOf("recaptcha-key", text, "");
  const secret = valueOf("recaptcha-secret", text, "");
  const origin = (value: GivenValue) => value.text === "" ? google : readOrigin(value);
  const host = valueOf("recaptcha-host", origin, google);
  if (key === "" && secret === "") return undefined;
  refuseHalf("recaptcha-key", key, "recaptcha-secret", secret);
  return { host, key, secret };
}
