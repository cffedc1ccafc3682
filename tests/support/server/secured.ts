import assert from "node:assert/strict";

/** The headers that every answer has, and what each must say at least. */
const wanted: Record<string, RegExp> = {
  "x-content-type-options": /^nosniff$/,
  "x-frame-options": /^SAMEORIGIN$/,
  "referrer-policy": /^same-origin$/,
  "cross-origin-opener-policy": /^same-origin$/,
  "cross-origin-resource-policy": /^same-origin$/,
  "permissions-policy": /camera=\(\)/,
  "content-security-policy": /default-src/,
};

/** Asserts that an answer has every security header. */
export function assertSecured(headers: Headers, told: string): void {
  for (const [name, value] of Object.entries(wanted)) {
    assert.match(headers.get(name) ?? "", value, `${told}: ${name}`);
  }
}
