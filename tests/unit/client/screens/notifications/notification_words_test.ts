import assert from "node:assert/strict";
import {
  detailOf,
  placeOf,
  sentenceOf,
} from "../../../../../lib/client/screens/notifications/notifications.ts";
import { wordsOf } from "../../../../../lib/server/http/pages/dictionaries.ts";
import { createI18n } from "../../../../../lib/shared/i18n/i18n.ts";
import type { NotificationInfo } from "../../../../../lib/shared/schemas/notification.ts";
import { notificationKinds } from "../../../../../lib/shared/schemas/choices/notification_choices.ts";

const { t } = createI18n("en", wordsOf("en"));

const blank: NotificationInfo = {
  ...{ id: "1", kind: "received", time: "2026-11-25T12:00:00.000Z", read: false },
  ...{ who: null, name: null, path: null, link: null, count: 0, bytes: 0, failed: 0 },
  ...{ action: null, device: null, address: null },
};

/** Without the marks that isolate names. */
function told(notification: Partial<NotificationInfo>): string {
  return sentenceOf(t, { ...blank, ...notification }).replace(/[\u2068\u2069]/g, "");
}

Deno.test("a sentence says who did what, as far as it is known", () => {
  const invoices = { name: "Invoices", count: 3 };
  assert.equal(told({ ...invoices, who: "Anna" }), "Anna (guest) sent 3 files to Invoices");
  assert.equal(told({ ...invoices, count: 1 }), "New in Invoices: 1 file");
  assert.equal(told({ count: 2 }), "New in My files: 2 files");
  const job = { kind: "job_done", action: "copy", name: "photos" } as const;
  assert.equal(told({ ...job, count: 1 }), "Copied: photos");
  assert.equal(told({ ...job, count: 4 }), "Copied: photos and 3 more");
  const device = "Mozilla/5.0 (X11; Linux x86_64; rv:133.0) Gecko/20100101 Firefox/133.0";
  assert.equal(told({ kind: "new_device", device }), "New sign-in: Firefox, Linux");
  assert.equal(told({ kind: "new_device", device: "" }), "New sign-in: Unknown app");
});

Deno.test("names are told as they are, markup, gaps and all, in their order", () => {
  const who = "<b>{{count}}</b>";
  assert.equal(told({ who, name: "a\u202eb", count: 1 }), `${who} (guest) sent 1 file to a\ufffdb`);
  assert.match(sentenceOf(t, { ...blank, who }), /\u2068<b>\{\{count\}\}<\/b>\u2069/);
});

Deno.test("every kind has a sentence and a place", () => {
  for (const kind of notificationKinds) {
    assert.ok(told({ kind, who: "Anna", name: "x" }).length > 5, kind);
    const place = placeOf("/base", { ...blank, kind, path: "/a b", link: "h" });
    assert.ok(place?.href.startsWith("/base/"), kind);
  }
  assert.equal(placeOf("", { ...blank, path: "/a b" })?.href, "/files/a%20b/");
  assert.equal(placeOf("", blank), null);
  const shared = { ...blank, kind: "shared_with_me" as const };
  const locked = told({ ...shared, who: "Anna", name: null });
  assert.match(locked, /Anna.* shared something password-protected with you/);
  assert.equal(placeOf("", shared)?.href, "/shared-with-me");
  assert.equal(placeOf("", { ...shared, link: "abc" })?.href, "/share/abc");
});

Deno.test("sizes, failures and addresses are told besides", () => {
  const detail = (of: Partial<NotificationInfo>) => detailOf(t, "en", { ...blank, ...of });
  assert.equal(detail({ bytes: 1500 }), "1.5 kB");
  assert.equal(detail({ kind: "job_failed", failed: 2 }), "Failed: 2");
  assert.equal(detail({ kind: "job_failed", failed: 2, partial: 2 }), "Incomplete: 2");
  assert.equal(
    detail({ kind: "job_failed", failed: 3, partial: 1 }),
    "Failed: 2 · Incomplete: 1",
  );
  assert.match(detail({ kind: "new_device", address: "192.0.2.1" }), /192\.0\.2\.1/);
  assert.equal(detail({ kind: "quota_near", bytes: 9 }), "");
});
