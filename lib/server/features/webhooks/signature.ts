import { Buffer } from "node:buffer";
import { createHmac, randomBytes } from "node:crypto";
import type { Webhook } from "./webhook.ts";

const prefix = "whsec_";

/** A new secret, as Standard Webhooks writes them: `whsec_` and 32 random bytes in base64. */
export function makeSecret(): string {
  return prefix + randomBytes(32).toString("base64");
}

/** The signed text. */
export interface Signed {
  id: string;
  /** The time of the attempt, in seconds since 1970. */
  timestamp: number;
  body: string;
}

/**
 * The signatures of an event, by a space between them: of the secret and, for a while after that
 * was renewed, of the former one, so that a receiver may change over when it likes (Standard
 * Webhooks, "Zero downtime secret rotation").
 *
 * @param now milliseconds since 1970
 */
export function signaturesOf(
  { secret, former }: Pick<Webhook, "secret" | "former">,
  signed: Signed,
  now: number,
): string {
  const secrets = former && now < former.until ? [secret, former.secret] : [secret];
  return secrets.map((each) => signatureOf(each, signed)).join(" ");
}

/**
 * The signature of an event (Standard Webhooks, "Signature scheme"): HMAC-SHA256 over id, time and
 * body, so that who reads one delivery can neither change it nor send it again later.
 */
function signatureOf(secret: string, { id, timestamp, body }: Signed): string {
  const key = Buffer.from(secret.slice(prefix.length), "base64");
  const mac = createHmac("sha256", key).update(`${id}.${timestamp}.${body}`);
  return `v1,${mac.digest("base64")}`;
}
