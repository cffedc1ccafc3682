import assert from "node:assert/strict";
import { join } from "node:path";
import { DomainError } from "../../../../../lib/shared/errors.ts";
import { openStore } from "../../../../../lib/server/core/kv/store.ts";
import { LoginThrottle } from "../../../../../lib/server/features/accounts/auth/login_throttle.ts";
import { temporaryFolder } from "../../../../support/disks/files.ts";
import { client, openIdentity, passwordOf } from "../users/identity.ts";

const minute = 60_000;

/** A throttle on a store in memory, with a clock of its own and a count of what it lets through. */
async function openAttempts() {
  const store = await openStore(":memory:");
  const clock = { now: 1_000_000_000_000 };
  const attempts = new LoginThrottle(store, () => clock.now);
  let compared = 0;
  return {
    attempts,
    clock,
    get compared() {
      return compared;
    },
    guess: (account: string, address: string, right = false) =>
      attempts.throttled(account, address, () => {
        compared++;
        return Promise.resolve(right || null);
      }),
    [Symbol.dispose]: () => store.close(),
  };
}

/** The seconds to wait after a refusal. */
async function refusal(guess: Promise<unknown>): Promise<number> {
  try {
    await guess;
  } catch (error) {
    if (error instanceof DomainError && error.code === "throttled") return error.retryAfter ?? 0;
    throw error;
  }
  throw new assert.AssertionError({ message: "The guess was let through" });
}

Deno.test("a hundred wrong logins at once on two stores: five are compared", async () => {
  await using folder = await temporaryFolder();
  const path = join(folder.path, "store.kv");
  using one = await openIdentity(path);
  using two = await openIdentity(path);
  await one.add("anna");
  const results = await Promise.allSettled(Array.from({ length: 100 }, (_, index) => {
    const { sessions } = index % 2 ? one : two;
    return sessions.signIn({ username: "anna", password: `wrong ${index}`, ...client });
  }));
  const codes = results.map((result) =>
    result.status === "rejected" ? result.reason.code : "signed in"
  );
  assert.equal(codes.filter((code) => code === "wrong_credentials").length, 5);
  assert.equal(codes.filter((code) => code === "throttled").length, 95);
});

Deno.test("the sixth guess at one account from one address waits, were it right", async () => {
  using it = await openIdentity();
  await it.add("anna");
  const wrong = { username: "anna", password: "wrong", ...client };
  for (let guess = 0; guess < 5; guess++) {
    await assert.rejects(it.sessions.signIn(wrong), { code: "wrong_credentials" });
  }
  const right = { ...wrong, password: passwordOf("anna") };
  await assert.rejects(it.sessions.signIn(right), { code: "throttled", retryAfter: 900 });
  await it.sessions.signIn({ ...right, address: "192.0.2.2" });
});

Deno.test("unknown names are throttled like known ones", async () => {
  using it = await openIdentity();
  await it.add("anna");
  const codes = async (username: string) => {
    const seen: unknown[] = [];
    for (let guess = 0; guess < 7; guess++) {
      const attempt = it.sessions.signIn({ username, password: "wrong", ...client });
      await attempt.catch((error) => seen.push([error.code, error.retryAfter]));
    }
    return seen;
  };
  const known = await codes("anna");
  assert.deepEqual(await codes("nobody"), known);
  assert.deepEqual(await codes("no\0body"), known);
});

Deno.test("another spelling of the name or the address is no way around", async () => {
  using it = await openIdentity();
  const spellings = ["Zo\u00eb", " Zo\u00eb", "Zoe\u0308", "Zo\u00eb\t", "\nZoe\u0308 "];
  const addresses = [
    "192.0.2.1",
    "::ffff:192.0.2.1",
    "::ffff:c000:201",
    "0:0:0:0:0:FFFF:192.0.2.1",
  ];
  for (const [index, username] of spellings.entries()) {
    const address = addresses[index % addresses.length] ?? "";
    const attempt = it.sessions.signIn({ username, password: "wrong", address, agent: "" });
    await assert.rejects(attempt, { code: "wrong_credentials" });
  }
  const last = { username: "Zo\u00eb", password: "wrong", address: "192.0.2.1", agent: "" };
  await assert.rejects(it.sessions.signIn(last), { code: "throttled" });
});

Deno.test("names that a directory takes for the same are one account", async () => {
  using it = await openAttempts();
  for (const name of ["anna lee", "Anna Lee", "ANNA LEE", "anna  lee", "\uff41nna lee"]) {
    await it.guess(`user:${name}`, "192.0.2.1");
  }
  assert.equal(await refusal(it.guess("user:aNNa lee", "192.0.2.1", true)), 900);
  // Other secrets have one spelling each.
  for (const hash of ["aA", "AA", "Aa", "aa", "aB"]) await it.guess(`share:${hash}`, "192.0.2.9");
  await it.guess("share:AB", "192.0.2.9");
});

Deno.test("twenty failures close an address for every account", async () => {
  using it = await openAttempts();
  for (let guess = 0; guess < 20; guess++) await it.guess(`user:${guess}`, "192.0.2.1");
  assert.equal(await refusal(it.guess("user:other", "192.0.2.1", true)), 900);
  await it.guess("user:other", "192.0.2.2");
});

Deno.test("an IPv6 household of 64 bits is one address", async () => {
  using it = await openAttempts();
  for (let guess = 0; guess < 20; guess++) {
    await it.guess(`user:${guess}`, `2001:db8:1:2:${guess}::${guess}`);
  }
  await refusal(it.guess("user:other", "2001:db8:1:2::1"));
  await it.guess("user:other", "2001:db8:1:3::1");
});

Deno.test("fifty failures close an account for every address", async () => {
  using it = await openAttempts();
  for (let guess = 0; guess < 50; guess++) await it.guess("user:anna", `192.0.2.${guess}`);
  assert.equal(await refusal(it.guess("user:anna", "198.51.100.1", true)), 900);
  await it.guess("user:bert", "198.51.100.1");
  assert.equal(it.compared, 51);
});

Deno.test("the wait grows from refusal to refusal, up to half an hour", async () => {
  using it = await openAttempts();
  for (let guess = 0; guess < 5; guess++) await it.guess("user:anna", "192.0.2.1");
  const waits: number[] = [];
  for (let hammer = 0; hammer < 30; hammer++) {
    waits.push(await refusal(it.guess("user:anna", "192.0.2.1")));
  }
  const growing = Array.from({ length: 16 }, (_, index) => 900 + 60 * index);
  assert.deepEqual(waits, [...growing, ...new Array(14).fill(1800)]);
  assert.equal(it.compared, 5);
});

Deno.test("hammering does not keep an account shut for ever", async () => {
  using it = await openAttempts();
  const closed = it.clock.now;
  for (let guess = 0; guess < 5; guess++) await it.guess("user:anna", "192.0.2.1");
  while (it.clock.now < closed + 30 * minute - 1000) {
    it.clock.now += 10_000;
    if (it.clock.now >= closed + 30 * minute) break;
    await refusal(it.guess("user:anna", "192.0.2.1"));
  }
  it.clock.now = closed + 30 * minute;
  await it.guess("user:anna", "192.0.2.1", true);
});

Deno.test("waiting as long as told is enough, and not a second less", async () => {
  using it = await openAttempts();
  for (let guess = 0; guess < 5; guess++) {
    await it.guess("user:anna", "192.0.2.1");
    it.clock.now += 1000;
  }
  const first = await refusal(it.guess("user:anna", "192.0.2.1"));
  assert.equal(first, 895);
  const second = await refusal(it.guess("user:anna", "192.0.2.1"));
  it.clock.now += second * 1000 - 1000;
  assert.ok(await refusal(it.guess("user:anna", "192.0.2.1")) > 1);
  it.clock.now += 61_000;
  await it.guess("user:anna", "192.0.2.1", true);
});

Deno.test("failures count for fifteen minutes, each by itself", async () => {
  using it = await openAttempts();
  for (let guess = 0; guess < 5; guess++) {
    await it.guess("user:anna", "192.0.2.1");
    it.clock.now += 3 * minute + 1;
  }
  for (let guess = 0; guess < 10; guess++) {
    await it.guess("user:anna", "192.0.2.1");
    it.clock.now += 3 * minute + 1;
  }
  assert.equal(it.compared, 15);
});

Deno.test("a success forgets the failures of that account from that address alone", async () => {
  using it = await openAttempts();
  for (let round = 0; round < 5; round++) {
    for (let guess = 0; guess < 4; guess++) await it.guess("user:anna", "192.0.2.1");
    if (round < 4) await it.guess("user:anna", "192.0.2.1", true);
  }
  await refusal(it.guess("user:bert", "192.0.2.1"));
  await it.guess("user:anna", "192.0.2.2");
});

Deno.test("a success does not count against anybody", async () => {
  using it = await openAttempts();
  for (let login = 0; login < 60; login++) await it.guess("user:anna", "192.0.2.1", true);
  assert.equal(it.compared, 60);
});

// More than may fail at one address.
Deno.test("24 right passwords at once all get in", async () => {
  await using folder = await temporaryFolder();
  const path = join(folder.path, "store.kv");
  using one = await openIdentity(path);
  using two = await openIdentity(path);
  await one.add("anna");
  const credentials = { username: "anna", password: passwordOf("anna"), ...client };
  await Promise.all(
    Array.from({ length: 24 }, (_, index) => (index % 2 ? one : two).sessions.signIn(credentials)),
  );
  assert.equal((await one.sessions.list(1)).length, 24);
});

Deno.test("a comparison that breaks off counts for nothing", async () => {
  using it = await openAttempts();
  for (let guess = 0; guess < 10; guess++) {
    const broken = it.attempts.throttled("user:anna", "192.0.2.1", () => {
      throw new Error("broken");
    });
    await assert.rejects(broken, /broken/);
  }
  await it.guess("user:anna", "192.0.2.1");
});

Deno.test("a guess whose process died counts as a failure", async () => {
  using it = await openAttempts();
  for (let guess = 0; guess < 5; guess++) await it.attempts.check("user:anna", "192.0.2.1");
  it.clock.now += 30_000;
  assert.equal(await refusal(it.guess("user:anna", "192.0.2.1")), 870);
});

Deno.test("shares and users of one name are counted apart", async () => {
  using it = await openAttempts();
  for (let guess = 0; guess < 5; guess++) await it.guess("share:anna", "192.0.2.1");
  await refusal(it.guess("share:anna", "192.0.2.1"));
  await it.guess("user:anna", "192.0.2.1");
});

Deno.test("what was typed as a name is not kept in the store", async () => {
  using it = await openIdentity();
  const typed = "my secret password by mistake";
  const attempt = it.sessions.signIn({ username: typed, password: "x", ...client });
  await assert.rejects(attempt, { code: "wrong_credentials" });
  const records = await it.store.list(["attempts"]);
  assert.equal(records.length, 3);
  assert.ok(!JSON.stringify(records).includes("secret"));
});

Deno.test("removeExpired() removes the counts in which nothing counts any more, and no others", async () => {
  const store = await openStore(":memory:");
  const clock = { now: 1_000_000_000_000 };
  const attempts = new LoginThrottle(store, () => clock.now);
  const fail = (address: string) =>
    attempts.throttled("user:anna", address, () => Promise.resolve(null));
  const counted = async () => (await store.list(["attempts"])).length;
  await fail("192.0.2.1");
  clock.now += 20 * minute;
  await fail("192.0.2.2");
  await attempts.removeExpired();
  assert.equal(await counted(), 5);
  clock.now += 10 * minute;
  await attempts.removeExpired();
  assert.equal(await counted(), 3);
  clock.now += 20 * minute;
  await attempts.removeExpired();
  assert.equal(await counted(), 0);
  store.close();
});
