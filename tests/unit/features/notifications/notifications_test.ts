import assert from "node:assert/strict";
import type { TimedActivity } from "../../../../lib/server/features/audit/record.ts";
import { openStore, type Store } from "../../../../lib/server/core/kv/store.ts";
import { keptMs } from "../../../../lib/server/features/notifications/kept_list.ts";
import { NotificationRecords } from "../../../../lib/server/features/notifications/notification_records.ts";
import {
  maxWaiting,
  Notifications,
} from "../../../../lib/server/features/notifications/notifications.ts";
import { openPasswords } from "../../../../lib/server/features/accounts/passwords/passwords.ts";
import { Requests } from "../../../../lib/server/features/links/requests/requests.ts";
import { Shares } from "../../../../lib/server/features/links/shares/shares.ts";
import { blankUser, type User } from "../../../../lib/server/features/accounts/users/user.ts";
import { Users } from "../../../../lib/server/features/accounts/users/users.ts";
import { DomainError } from "../../../../lib/shared/errors.ts";
import { parsePath, ROOT } from "../../../../lib/shared/path.ts";

const passwords = await openPasswords();
Deno.test.afterAll(() => passwords.close());
const passwordHash = await passwords.hash("a password of anna's");

const firefox = "Mozilla/5.0 (X11; Linux x86_64; rv:133.0) Gecko/20100101 Firefox/133.0";
const newerFirefox = firefox.replaceAll("133.0", "134.0");
const phone =
  "Mozilla/5.0 (Linux; Android 16) AppleWebKit/537.36 Chrome/140.0 Mobile Safari/537.36";

/** What notifications are made of, on a store in memory. */
async function open(given: { clock?: { now: number }; agents?: string[] } = {}) {
  const store = await openStore(":memory:");
  let failing = false;
  const failingStore: Store = {
    ...store,
    atomic: (build) => {
      if (failing) throw new Error("the store fails");
      return store.atomic(build);
    },
  };
  const users = new Users(store, passwords);
  const anna = await users.create({ ...blankUser(), username: "anna", passwordHash });
  const requests = new Requests(store, passwords);
  const errors: string[] = [];
  const { clock } = given;
  const notifications = new Notifications({
    store: failingStore,
    ...{ users, requests, shares: new Shares(store, passwords) },
    sessions: () => Promise.resolve((given.agents ?? []).map((agent) => ({ agent, address: "" }))),
    report: (error) => void errors.push(String(error)),
    ...clock && { now: () => clock.now },
  });
  const place = parsePath("/Invoices").path;
  const request = await requests.create({ userId: anna.id, path: place, place }, {});
  const arrived = (sender: string, address = "192.0.2.1", bytes = 10): TimedActivity => ({
    ...{ action: "upload", user: { id: anna.id, name: "anna" }, address, path: "/Invoices/a" },
    ...{ request: request.hash, details: { sender, bytes }, at: Date.now() },
  });
  return {
    ...{ store, users, anna, notifications, errors, arrived },
    fail: (fails: boolean) => void (failing = fails),
    list: () => notifications.records.list(anna.id),
    news: () => notifications.records.unreadState(anna.id),
    [Symbol.dispose]() {
      notifications.close();
      store.close();
    },
  };
}

const kinds = (list: readonly { kind: string }[]) => list.map(({ kind }) => kind);

Deno.test("files that arrive together are one notification with their number and size", async () => {
  using own = await open();
  const { notifications, arrived } = own;
  for (let sent = 0; sent < 3; sent++) notifications.handle(arrived("Anna"));
  notifications.handle(arrived("Anna", "192.0.2.7"));
  await notifications.flush();
  notifications.handle(arrived("Anna"));
  await notifications.flush();
  const list = await own.list();
  assert.deepEqual(
    list.map(({ who, name, place, count, bytes }) => ({ who, name, place, count, bytes })),
    [
      { who: "Anna", name: "Invoices", place: "/Invoices", count: 4, bytes: 40 },
      { who: "Anna", name: "Invoices", place: "/Invoices", count: 1, bytes: 10 },
    ],
  );
  assert.deepEqual(await own.news(), { unread: 2, edition: 2 });
});

Deno.test("what users do themselves is no notification", async () => {
  using own = await open();
  const { notifications, anna } = own;
  const by = { user: { id: anna.id, name: "anna" }, address: "192.0.2.1", at: Date.now() };
  for (const action of ["upload", "save", "download", "share_add", "signin"] as const) {
    notifications.handle({ ...by, action, path: "/a.txt" });
  }
  const details = { account: anna.id, fields: ["password"] };
  notifications.handle({ ...by, action: "user_change", details });
  await notifications.flush();
  assert.deepEqual(await own.list(), []);
  assert.deepEqual(await own.news(), { unread: 0, edition: 0 });
});

Deno.test("a topic that is turned off is not told of, and security cannot be", async () => {
  using own = await open();
  const { notifications, users, anna, arrived } = own;
  await users.update(anna.id, { mutedNotifications: ["requests", "jobs"] });
  notifications.handle(arrived("Berta"));
  notifications.notify({ userId: anna.id, kind: "job_done" });
  notifications.handle({
    ...{ action: "factor_remove", user: { id: 99, name: "admin" }, address: null, at: Date.now() },
    details: { account: anna.id },
  });
  await notifications.flush();
  assert.deepEqual(kinds(await own.list()), ["factors_changed"]);
  assert.equal((await own.list())[0]?.who, "admin");
});

Deno.test("a store that cannot be written is reported once, and nothing is lost by it", async () => {
  using own = await open();
  const { notifications, arrived } = own;
  own.fail(true);
  notifications.handle(arrived("Berta"));
  await notifications.flush();
  notifications.handle(arrived("Berta"));
  await notifications.flush();
  assert.deepEqual(own.errors, ["Error: the store fails"]);
  own.fail(false);
  await notifications.flush();
  const [only, ...others] = await own.list();
  assert.deepEqual([only?.count, others], [2, []]);
});

Deno.test("a flood that waits is bounded, and what is dropped is reported", async () => {
  using own = await open();
  const { notifications, arrived } = own;
  for (let sent = 0; sent < maxWaiting + 20; sent++) notifications.handle(arrived(`v${sent}`));
  // Those of a visit that waits already are counted with it.
  for (let sent = 0; sent < 1_000; sent++) notifications.handle(arrived("v0"));
  await notifications.flush();
  assert.deepEqual(own.errors, ["20 of them were too many at once"]);
  assert.equal((await own.list()).length, 100);
});

Deno.test("nothing is written of a user who is gone", async () => {
  using own = await open();
  const { notifications, users, anna } = own;
  await users.create({
    ...{ ...blankUser(), username: "root", passwordHash },
    perm: { ...anna.perm, admin: true },
  });
  notifications.notify({ userId: anna.id, kind: "job_done" });
  await notifications.flush();
  notifications.notify({ userId: anna.id, kind: "job_done" });
  await users.remove(anna.id);
  await notifications.flush();
  await notifications.recordSignIn(anna, { agent: firefox, address: "" });
  assert.deepEqual(own.errors, []);
  for (const prefix of [["notifications"], ["notification_states"]]) {
    assert.deepEqual(await own.store.list(prefix), []);
  }
});

Deno.test("a sign-in from a kind of device is told of the first time, but not the very first", async () => {
  using own = await open();
  const sign = (agent: string) =>
    own.notifications.recordSignIn(own.anna, { agent, address: "192.0.2.4" });
  await sign(firefox);
  await sign(newerFirefox);
  assert.deepEqual(await own.list(), []);
  await sign(phone);
  await sign(firefox);
  await sign(phone);
  const [only, ...others] = await own.list();
  assert.deepEqual(
    [only?.kind, only?.device, only?.address, others],
    ["new_device", phone, "192.0.2.4", []],
  );
});

Deno.test("devices of sessions from before are known", async () => {
  using known = await open({ agents: [phone, phone] });
  await known.notifications.recordSignIn(known.anna, { agent: phone, address: "" });
  assert.deepEqual(await known.list(), []);
  using other = await open({ agents: [phone, firefox] });
  await other.notifications.recordSignIn(other.anna, { agent: phone, address: "" });
  await other.notifications.recordSignIn(other.anna, { agent: newerFirefox, address: "" });
  assert.deepEqual((await other.list()).map(({ device }) => device), [phone]);
});

Deno.test("a quota that is nearly used up is told of once, until it is not any more", async () => {
  using own = await open();
  const { notifications } = own;
  const quota = { bytes: 1_000, files: 0 };
  const users: User[] = [own.anna];
  for (const isNear of [false, true, true, true, false, true]) {
    await notifications.recordQuota(users, isNear, quota);
  }
  assert.deepEqual(kinds(await own.list()), ["quota_near", "quota_near"]);
});

Deno.test("notifications are read, marked and removed", async () => {
  const clock = { now: Date.now() };
  using own = await open({ clock });
  const { notifications: { records }, notifications, anna } = own;
  for (const kind of ["job_done", "job_failed", "quota_near"] as const) {
    notifications.notify({ userId: anna.id, kind });
    await notifications.flush();
    clock.now += 1_000;
  }
  const [last, second, first] = await own.list();
  assert.ok(last && second && first);
  await records.mark(anna.id, second.id, true);
  assert.equal((await own.news()).unread, 2);
  await records.markAll(anna.id, true, second.at);
  assert.equal((await own.news()).unread, 1);
  const { edition } = await own.news();
  await records.mark(anna.id, second.id, true);
  assert.equal((await own.news()).edition, edition);
  await records.markAll(anna.id, false);
  assert.equal((await own.news()).unread, 3);
  await records.remove(anna.id, last.id);
  assert.deepEqual(kinds(await own.list()), ["job_failed", "job_done"]);
  for (const call of ["mark", "remove"] as const) {
    await assert.rejects(
      records[call](anna.id, last.id, true),
      (error) => error instanceof DomainError && error.code === "not_found",
    );
  }
  await records.clear(anna.id);
  assert.deepEqual([await own.list(), (await own.news()).unread], [[], 0]);
});

Deno.test("what is too old is removed from the store by the hour", async () => {
  const clock = { now: Date.now() };
  using own = await open({ clock });
  const { notifications, anna } = own;
  notifications.notify({ userId: anna.id, kind: "job_done" });
  await notifications.flush();
  clock.now += keptMs;
  await notifications.records.removeExpired();
  assert.deepEqual(await own.store.list(["notifications"]), []);
  assert.equal((await own.news()).unread, 0);
});

Deno.test("the count is read once, until the store is written to", async () => {
  using own = await open();
  const { store, anna } = own;
  let reads = 0;
  const counting = Object.assign(Object.create(store), {
    get: (key: Deno.KvKey) => (reads++, store.get(key)),
  });
  const records = new NotificationRecords(counting);
  for (let asked = 0; asked < 5; asked++) await records.unreadState(anna.id);
  assert.equal(reads, 1);
  await store.atomic((operation) => operation.set(["other"], ROOT));
  await records.unreadState(anna.id);
  assert.equal(reads, 2);
});
