import assert from "node:assert/strict";
import {
  costOf,
  isBcryptHash,
} from "../../../../../lib/server/features/accounts/passwords/bcrypt.ts";
import { BcryptInWorker } from "../../../../../lib/server/features/accounts/passwords/bcrypt_in_worker.ts";
import { openNativeBcrypt } from "../../../../../lib/server/features/accounts/passwords/bcrypt_native.ts";
import {
  openPasswords,
  passwordConcurrency,
  Passwords,
} from "../../../../../lib/server/features/accounts/passwords/passwords.ts";

const native = await openNativeBcrypt();
assert.ok(native, "the native implementation loads here");

Deno.test("verify() refuses a password of another user, and any password of nobody", async () => {
  const passwords = new Passwords(native);
  const hash = await passwords.hash("rainy tuesdays");
  assert.equal(await passwords.verify("rainy tuesday", hash), false);
  assert.equal(await passwords.verify("", hash), false);
  assert.equal(await passwords.verify("rainy tuesdays", null), false);
  assert.equal(await passwords.verify("", null), false);
  assert.equal(await passwords.verify("rainy tuesdays", hash), true);
});

Deno.test("verify() refuses a password that only begins with the right 72 bytes", async () => {
  const passwords = new Passwords(native);
  const right = "0123456789ab".repeat(6);
  const hash = await passwords.hash(right);
  assert.equal(await passwords.verify(right + "x", hash), false);
  assert.equal(await passwords.verify(right, hash), true);
});

Deno.test("verify() takes composed and decomposed letters for the same", async () => {
  const passwords = new Passwords(native);
  assert.equal(
    await passwords.verify("cafe\u0301 noir", await passwords.hash("caf\u00e9 noir")),
    true,
  );
});

Deno.test("verify() takes a password that File Browser has hashed in decomposed letters", async () => {
  const passwords = new Passwords(native);
  const hash = await native.hash("cafe\u0301 noir", 4);
  assert.equal(await passwords.verify("cafe\u0301 noir", hash), true);
  assert.equal(await passwords.verify("caf\u00e9 noir", hash), false, "that was another one");
  assert.equal(await passwords.verify("cafe\u0301 noir", null), false);
});

Deno.test("verify() does the same work for nobody as for a user, and for long passwords", async () => {
  // What the comparison costs is decided by the cost in the hash; a clock would tell the load instead.
  const costs: number[] = [];
  const passwords = new Passwords({
    name: "counted",
    hash: (password, cost) => native.hash(password, cost),
    verify(password, hash) {
      costs.push(costOf(hash));
      return native.verify(password, hash);
    },
    close() {},
  });
  const hash = await passwords.hash("rainy tuesdays");
  assert.equal(await passwords.verify("wrong password", hash), false);
  assert.equal(await passwords.verify("wrong password", null), false);
  assert.equal(await passwords.verify("x".repeat(1000), hash), false);
  assert.deepEqual(costs, [costOf(hash), costOf(hash), costOf(hash)]);
});

Deno.test("both implementations understand each other's hashes, and File Browser's", async () => {
  const worker = new BcryptInWorker();
  for (const password of ["rainy tuesdays", "Grüße aus Köln", "0123456789ab".repeat(6)]) {
    const ours = await native.hash(password, 4);
    const theirs = await worker.hash(password, 4);
    for (const hash of [ours, theirs, ours.replace(/^\$2./, "$2a"), ours.replace(/^\$2./, "$2y")]) {
      assert.ok(isBcryptHash(hash), hash);
      for (const bcrypt of [native, worker]) {
        assert.equal(await bcrypt.verify(password, hash), true, `${bcrypt.name} ${hash}`);
        assert.equal(await bcrypt.verify(password.slice(1), hash), false);
      }
    }
  }
  worker.close();
});

Deno.test("bcryptjs leaves the event loop free", async () => {
  const worker = new BcryptInWorker();
  await worker.hash("warm up", 4);
  let ticks = 0;
  const timer = setInterval(() => ticks++, 1);
  await worker.hash("rainy tuesdays", 12);
  clearInterval(timer);
  worker.close();
  assert.ok(ticks > 5, `${ticks} ticks`);
});

Deno.test("close() fails what the Worker still computes", async () => {
  const worker = new BcryptInWorker();
  const pending = worker.hash("rainy tuesdays", 12);
  worker.close();
  await assert.rejects(pending, /Cannot compute a password hash: the server is stopping/);
});

Deno.test("only whole bcrypt hashes of a bearable cost count as hashes", () => {
  const hash = "$2b$10$zJxDOE35r/l0m7ee7Z4mrO8g3EoxkiSpf78E3yx7Yy9mokpcOln4i";
  assert.ok(isBcryptHash(hash));
  for (
    const text of [
      hash.slice(1),
      hash.slice(0, -1),
      hash + "x",
      hash + "\n",
      hash.replace("$10$", "$31$"),
      hash.replace("$10$", "$03$"),
      hash.replace("2b", "2x"),
      "",
    ]
  ) assert.ok(!isBcryptHash(text), JSON.stringify(text));
});

Deno.test("openPasswords() names the implementation it chose", async () => {
  const passwords = await openPasswords();
  assert.equal(passwords.backend, "@node-rs/bcrypt");
  passwords.close();
});

Deno.test("a flood of passwords is refused rather than kept waiting for ever", async () => {
  const slow = Promise.withResolvers<string>();
  const passwords = new Passwords({
    name: "held up",
    hash: () => slow.promise,
    verify: () => Promise.resolve(false),
    close: () => {},
  });
  const pending = Array.from({ length: 400 }, () => passwords.hash("rainy tuesdays"));
  const refused = pending.at(-1);
  assert.ok(refused);
  await assert.rejects(refused, { code: "throttled", retryAfter: 5 });
  slow.resolve("hash");
  const results = await Promise.allSettled(pending);
  const done = results.filter(({ status }) => status === "fulfilled").length;
  assert.ok(done >= 257 && done < 400, `${done} were hashed`);
});

Deno.test("passwords of all users are compared on every processor, and the others wait", async () => {
  const started: PromiseWithResolvers<boolean>[] = [];
  const verify = () => {
    const comparing = Promise.withResolvers<boolean>();
    started.push(comparing);
    return comparing.promise;
  };
  const hash = () => Promise.resolve("");
  const passwords = new Passwords({ name: "by hand", hash, verify, close: () => {} }, 2);
  const all = Array.from({ length: 4 }, () => passwords.verify("rainy tuesdays", null));
  for (let index = 0; index < 4; index++) {
    await new Promise((resolve) => setTimeout(resolve, 0));
    assert.equal(started.length, Math.min(index + 2, 4));
    started[index]?.resolve(false);
  }
  assert.deepEqual(await Promise.all(all), [false, false, false, false]);
});

Deno.test("passwordConcurrency() gives each processor a password, and each thread one at least", () => {
  assert.deepEqual([1, 2, 3, 8].map((workers) => passwordConcurrency(workers, 4)), [4, 2, 2, 1]);
  assert.equal(passwordConcurrency(1, 1), 1);
});
