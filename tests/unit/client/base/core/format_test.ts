import assert from "node:assert/strict";
import {
  formatBytes,
  formatExact,
  formatNumber,
  formatRelative,
} from "../../../../../lib/client/base/core/format.ts";

Deno.test("formatBytes() keeps three digits that count", () => {
  assert.equal(formatBytes(0, "en"), "0 bytes");
  assert.equal(formatBytes(1, "en"), "1 byte");
  assert.equal(formatBytes(999, "en"), "999 bytes");
  assert.equal(formatBytes(1000, "en"), "1 kB");
  assert.equal(formatBytes(1_234_567, "en"), "1.23 MB");
  assert.equal(formatBytes(45_600_000_000, "en"), "45.6 GB");
});

Deno.test("formatBytes() never rounds up to a thousand of a unit", () => {
  assert.equal(formatBytes(999_499, "en"), "999 kB");
  assert.equal(formatBytes(999_600, "en"), "1 MB");
  assert.equal(formatBytes(999_999_999, "en"), "1 GB");
});

Deno.test("formatBytes() stays with the largest unit", () => {
  assert.match(formatBytes(5e18, "en"), /^5,000 PB$/);
});

Deno.test("formatNumber() separates as the language does", () => {
  assert.equal(formatNumber(100_000, "en"), "100,000");
  assert.equal(formatNumber(100_000, "de"), "100.000");
});

Deno.test("formatRelative() answers nothing for what is no time", () => {
  assert.equal(formatRelative("soon", "en"), "");
  assert.equal(formatExact("soon", "en"), "");
});

Deno.test("formatRelative() uses the largest unit that fits", () => {
  const now = Date.parse("2026-10-05T12:00:00Z");
  const ago = (seconds: number) => new Date(now - seconds * 1000).toISOString();
  assert.equal(formatRelative(ago(20), "en", now), "now");
  assert.equal(formatRelative(ago(60), "en", now), "1 minute ago");
  assert.equal(formatRelative(ago(3 * 3600 + 59 * 60), "en", now), "3 hours ago");
  assert.equal(formatRelative(ago(26 * 3600), "en", now), "yesterday");
  assert.equal(formatRelative(ago(400 * 86_400), "en", now), "last year");
  assert.equal(formatRelative(ago(-2 * 86_400 - 60), "en", now), "in 2 days");
  assert.equal(formatRelative(ago(-3 * 86_400 + 60), "en", now), "in 3 days");
});

Deno.test("formatExact() tells date and clock of the asked time zone", () => {
  const shown = formatExact("2026-10-05T23:30:00Z", "en", "Europe/Berlin");
  assert.match(shown, /Oct 6, 2026/);
  assert.match(shown, /1:30/);
});
