import assert from "node:assert/strict";
import { openStore } from "../../../../lib/server/core/kv/store.ts";
import type { Mail } from "../../../../lib/server/features/notifications/mailer.ts";
import { Digests, maxMailAttempts } from "../../../../lib/server/features/notifications/digests.ts";
import { NotificationRecords } from "../../../../lib/server/features/notifications/notification_records.ts";
import {
  mailPauseMs,
  waitingMails,
} from "../../../../lib/server/features/notifications/waiting_mail.ts";
import { openPasswords } from "../../../../lib/server/features/accounts/passwords/passwords.ts";
import { blankUser, type UserChange } from "../../../../lib/server/features/accounts/users/user.ts";
import { Users } from "../../../../lib/server/features/accounts/users/users.ts";
import { DomainError, type ErrorCode } from "../../../../lib/shared/errors.ts";

const passwords = await openPasswords();
Deno.test.afterAll(() => passwords.close());
const passwordHash = await passwords.hash("a password of anna's");

/** A user who wants mail, a clock, and a mail server that takes mails or fails. */
async function open(change: UserChange = {}) {
  const store = await openStore(":memory:");
  const users = new Users(store, passwords);
  const draft = { ...blankUser(), mail: "anna@example.org", mailNotifications: true, ...change };
  const { id } = await users.create({ ...draft, username: "anna", passwordHash });
  let now = Date.UTC(2026, 0, 1);
  const records = new NotificationRecords(store, () => now, true);
  const sent: Mail[] = [];
  const reported: string[] = [];
  let failure: ErrorCode | null = null;
  let meanwhile: (() => Promise<void>) | null = null;
  const options = {
    ...{ store, users },
    mailer: {
      async send(mail: Mail) {
        await meanwhile?.();
        if (failure) throw new DomainError(failure, "the mail server does not accept it");
        sent.push(mail);
      },
    },
    write: (_user: unknown, told: readonly { name?: string }[]) =>
      Promise.resolve({ subject: "News", text: told.map(({ name }) => name).join() }),
    report: (sentence: string) => void reported.push(sentence),
    now: () => now,
  };
  const digests = new Digests(options);
  return {
    ...{ store, users, id, records, reported, digests },
    other: () => new Digests(options),
    /** Something happens. */
    happen: (name: string) => records.add(id, [{ kind: "job_done", at: ++now, name }]),
    fail: (code: ErrorCode | null) => void (failure = code),
    during: (work: typeof meanwhile) => void (meanwhile = work),
    /** Time passes, and what is due is sent. */
    async later(ms: number) {
      now += ms;
      await digests.sendDue();
      return sent.splice(0).map(({ to, text }) => `${to}: ${text}`);
    },
    waiting: async () => (await store.list(waitingMails.prefix())).length,
    [Symbol.dispose]: () => store.close(),
  };
}

Deno.test("nobody gets mail unasked, nor without an address", async () => {
  for (const change of [{ mailNotifications: false }, { mail: "" }]) {
    using own = await open(change);
    await own.happen("a");
    assert.deepEqual([await own.later(mailPauseMs), await own.waiting()], [[], 0]);
  }
});

Deno.test("a flood of notifications is one mail, and the next comes minutes after it", async () => {
  using own = await open();
  for (let index = 0; index < 50; index++) await own.happen(`${index}`);
  assert.deepEqual(await own.later(1_000), [], "more may come");
  const [mail = "", ...more] = await own.later(60_000);
  assert.deepEqual([mail.split(",").length, more], [50, []]);
  assert.ok(mail.startsWith("anna@example.org: 49,48"));
  await own.happen("late");
  assert.deepEqual(await own.later(60_000), []);
  await own.happen("later");
  assert.deepEqual(await own.later(mailPauseMs), ["anna@example.org: later,late"]);
  assert.deepEqual([await own.later(mailPauseMs), await own.waiting()], [[], 0]);
});

Deno.test("what was read or removed meanwhile is not mailed", async () => {
  using own = await open();
  await own.happen("a");
  await own.records.markAll(own.id, true);
  assert.deepEqual([await own.later(60_000), await own.waiting()], [[], 0]);
  await own.happen("b");
  await own.happen("c");
  const [latest] = await own.records.list(own.id);
  await own.records.remove(own.id, latest?.id ?? "");
  const [mail = ""] = await own.later(60_000);
  assert.match(mail, /^anna@example\.org: [bc]$/);
});

Deno.test("what happens while a mail is sent is in the next one", async () => {
  using own = await open();
  await own.happen("a");
  own.during(() => own.happen("b"));
  assert.deepEqual(await own.later(60_000), ["anna@example.org: a"]);
  own.during(null);
  assert.deepEqual(await own.later(mailPauseMs), ["anna@example.org: b"]);
  assert.equal(await own.waiting(), 0);
});

Deno.test("of several servers one sends a mail, and one that dies loses none", async () => {
  using own = await open();
  const [second, third] = [own.other(), own.other()];
  await own.happen("a");
  own.during(() => Promise.all([second.sendDue(), third.sendDue()]).then(() => {}));
  assert.deepEqual(await own.later(60_000), ["anna@example.org: a"]);
  own.during(() => {
    throw new Error("killed");
  });
  await own.happen("b");
  assert.deepEqual(await own.later(mailPauseMs), []);
  own.during(null);
  assert.deepEqual(await own.later(1_000), [], "it may still be on its way");
  assert.deepEqual(await own.later(60_000), ["anna@example.org: b"]);
});

Deno.test("a mail that is not taken is tried again, ever later, and its end is reported", async () => {
  using own = await open();
  own.fail("mail_failed");
  await own.happen("a");
  await own.later(60_000);
  assert.equal(await own.waiting(), 1);
  own.fail(null);
  assert.deepEqual(await own.later(1_000), []);
  await own.happen("b");
  assert.deepEqual(await own.later(mailPauseMs), ["anna@example.org: b,a"]);
  assert.deepEqual(own.reported, []);

  own.fail("mail_failed");
  await own.happen("c");
  for (let time = 0; time < maxMailAttempts; time++) await own.later(mailPauseMs * 2 ** time);
  assert.deepEqual(own.reported, [
    'Notifications of "anna" are not mailed: the mail server does not accept it',
  ]);
  own.fail(null);
  assert.deepEqual([await own.later(mailPauseMs), await own.waiting()], [[], 0]);
  assert.equal((await own.records.list(own.id)).length, 3, "they are in the list");
});

Deno.test("an address that the mail server refuses is not tried again", async () => {
  using own = await open();
  own.fail("invalid_address");
  await own.happen("a");
  await own.later(60_000);
  assert.deepEqual([own.reported.length, await own.waiting()], [1, 0]);
});

Deno.test("mail that was turned off meanwhile is not sent, nor to a user who is gone", async () => {
  using own = await open();
  await own.happen("a");
  await own.users.update(own.id, { mailNotifications: false });
  assert.deepEqual([await own.later(60_000), await own.waiting()], [[], 0]);
  await own.users.update(own.id, { mailNotifications: true });
  assert.deepEqual(await own.later(mailPauseMs), [], "what came before stays in the list alone");
  await own.users.create({
    ...{ ...blankUser(), username: "root", passwordHash },
    perm: { ...blankUser().perm, admin: true },
  });
  await own.happen("b");
  await own.users.remove(own.id);
  assert.deepEqual([await own.later(mailPauseMs), await own.waiting()], [[], 0]);
});
