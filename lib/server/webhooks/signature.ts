import { Buffer } from "node:buffer";
import { createHmac, randomBytes } from "node:crypto";

const prefix = "whsec_";

/** A new secret, as Standard Webhooks writes them: `whsec_` and 32 random bytes in base64. */
export function makeSecret(): string {
  return prefix + randomBytes(32).toString("base64");
}

/** What is signed. */
export interface Signed {
  id: string;
  /** The time of the attempt, in seconds since 1970. */
  timestamp: number;
  body: string;
}

/**
 * The signature of an event (Standard Webhooks, "Signature scheme"): HMAC-SHA256 over id, time and
 * body, so that who reads one delivery can neither change it nor send it again later.
 */
export function signatureOf(secret: string, { id, timestamp, body }: Signed): string {
  const key = Buffer.from(secret.slice(prefix.length), "base64");
  const mac = createHmac("sha256", key).update(`${id}.${timestamp}.${body}`);
  return `v1,${mac.digest("base64")}`;
}
