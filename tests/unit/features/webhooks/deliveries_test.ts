import assert from "node:assert/strict";
import type { WebhookRights } from "../../../../lib/server/core/config/webhook_options.ts";
import type { TimedActivity } from "../../../../lib/server/features/audit/record.ts";
import { openStore, type Store } from "../../../../lib/server/core/kv/store.ts";
import { DomainError } from "../../../../lib/shared/errors.ts";
import { retryPauses } from "../../../../lib/server/features/webhooks/deliveries.ts";
import { maxQueued } from "../../../../lib/server/features/webhooks/queue.ts";
import type { Webhook } from "../../../../lib/server/features/webhooks/webhook.ts";
import { Webhooks } from "../../../../lib/server/features/webhooks/webhooks.ts";
import type { WebhookDraft } from "../../../../lib/shared/schemas/webhook.ts";
import { isSigned, type Receiver, startReceiver } from "../../../support/services/receiver.ts";

const dayMs = 24 * 60 * 60 * 1000;

/** A clock that is moved by hand. */
interface Clock {
  now: number;
}

function open(
  store: Store,
  { port }: Receiver,
  clock: Clock,
  onEnded?: (hook: Webhook) => void,
): Webhooks & Disposable {
  const rights: WebhookRights = { ports: [port], privateNetworks: ["127.0.0.1"], http: true };
  const errors: unknown[] = [];
  const report = (error: unknown) => void errors.push(error);
  const webhooks = new Webhooks({ store, rights, report, onEnded, now: () => clock.now });
  return Object.assign(webhooks, {
    [Symbol.dispose]() {
      webhooks.close();
      assert.deepEqual(errors, []);
    },
  });
}

/** Webhooks of a server on a new store, and a receiver that answers with a status. */
async function begin(status = 204, onEnded?: (hook: Webhook) => void) {
  const store = await disposable();
  const receiver = startReceiver();
  receiver.answer(status);
  const clock = { now: Date.now() };
  const webhooks = open(store, receiver, clock, onEnded);
  return {
    ...{ store, receiver, clock, webhooks },
    async [Symbol.asyncDispose]() {
      webhooks[Symbol.dispose]();
      await receiver[Symbol.asyncDispose]();
      store[Symbol.dispose]();
    },
  };
}

function draftFor({ url }: Receiver, change: Partial<WebhookDraft> = {}): WebhookDraft {
  return { name: "n", url: `${url}/in`, events: ["writes"], path: "/", enabled: true, ...change };
}

function uploaded(path: string): TimedActivity {
  const user = { id: 1, name: "anna" };
  return { action: "upload", user, address: "192.0.2.1", path, at: Date.UTC(2026, 0, 31) };
}

Deno.test("events that another flush is still queueing are delivered, too", async () => {
  await using scene = await begin();
  const { receiver, webhooks } = scene;
  await webhooks.add(draftFor(receiver));
  webhooks.handle(uploaded("/a.txt"));
  void webhooks.flush();
  await webhooks.deliver();
  assert.equal(receiver.received.length, 1);
});

Deno.test("an event is signed with the time of its attempt, and arrives once", async () => {
  await using scene = await begin();
  const { receiver, clock, webhooks } = scene;
  const { hook } = await webhooks.add(draftFor(receiver));
  webhooks.handle(uploaded("/a.txt"));
  await webhooks.deliver();
  await webhooks.deliver();
  assert.equal(receiver.received.length, 1);
  const [got] = receiver.received;
  assert.ok(got && isSigned(hook.secret, got));
  assert.ok(!isSigned(`whsec_${btoa("x".repeat(32))}`, got));
  assert.ok(!isSigned(hook.secret, { ...got, body: `${got.body} ` }));
  assert.equal(got.headers.get("webhook-timestamp"), String(Math.floor(clock.now / 1000)));
  assert.deepEqual(got.event, {
    type: "upload",
    timestamp: "2026-01-31T00:00:00.000Z",
    data: {
      ...{ user: "anna", userId: 1, address: "192.0.2.1", path: "/a.txt" },
      ...{ to: null, subject: null, request: null },
    },
  });
  const { state } = await webhooks.get(hook.id);
  assert.deepEqual([state.queued, state.dropped, state.attempts[0]?.status], [0, 0, 204]);
});

Deno.test("for a day the former secret signs besides a new one, which comes first", async () => {
  using store = await disposable();
  await using receiver = startReceiver();
  const clock = { now: Date.now() };
  using webhooks = open(store, receiver, clock);
  const { hook: { id, secret: former } } = await webhooks.add(draftFor(receiver));
  const { hook: { secret } } = await webhooks.renewSecret(id);
  assert.notEqual(secret, former);
  const signedBy = async () => {
    await webhooks.test(id);
    const got = receiver.received.at(-1);
    assert.ok(got);
    const count = got.headers.get("webhook-signature")?.split(" ").length;
    return [count, isSigned(secret, got), isSigned(former, got)];
  };
  assert.deepEqual(await signedBy(), [2, true, true]);
  clock.now += 23 * 60 * 60_000;
  assert.deepEqual(await signedBy(), [2, true, true]);
  // A change of other things keeps both.
  await webhooks.change(id, draftFor(receiver, { name: "Renamed" }));
  assert.deepEqual(await signedBy(), [2, true, true]);
  clock.now += 2 * 60 * 60_000;
  assert.deepEqual(await signedBy(), [1, true, false]);
  // Renewed twice, the first is over at once.
  await webhooks.renewSecret(id);
  await webhooks.renewSecret(id);
  assert.deepEqual(await signedBy(), [2, false, false]);
});

Deno.test("a webhook is told of its kinds and its folder alone", async () => {
  await using scene = await begin();
  const { receiver, webhooks } = scene;
  await webhooks.add(draftFor(receiver, { path: "/docs", events: ["writes", "signins"] }));
  await webhooks.add(draftFor(receiver, { enabled: false }));
  await webhooks.add(draftFor(receiver, { events: ["settings"] }));
  const user = { id: 1, name: "anna" };
  const move = { action: "move" as const, user, address: null, at: Date.now() };
  for (const path of ["/a.txt", "/docs2/a.txt", "/docs/in.txt"]) webhooks.handle(uploaded(path));
  webhooks.handle({ ...move, path: "/docs/out.txt", to: "/out.txt" });
  webhooks.handle({ ...move, path: "/b.txt", to: "/docs/b.txt" });
  webhooks.handle({ ...uploaded("/docs/sent.txt"), request: "4fG" });
  webhooks.handle({ action: "signin", user, address: null, at: Date.now() });
  webhooks.handle({
    action: "download",
    user,
    address: null,
    path: "/docs/in.txt",
    at: Date.now(),
  });
  await webhooks.deliver();
  const told = receiver.received.map(({ event: { type, data } }) => `${type} ${data.path}`);
  assert.deepEqual(told.sort(), [
    ...["move /b.txt", "move /docs/out.txt", "signin null", "upload /docs/in.txt"],
  ]);
});

Deno.test("a failed event is tried for about a day with growing pauses, then dropped", async () => {
  await using scene = await begin(500);
  const { receiver, clock, webhooks } = scene;
  const { hook: { id } } = await webhooks.add(draftFor(receiver));
  const start = clock.now;
  webhooks.handle(uploaded("/a.txt"));
  await webhooks.deliver();
  for (let attempt = 1; attempt <= retryPauses.length; attempt++) {
    const { state } = await webhooks.get(id);
    const next = state.attempts[0]?.next ?? 0;
    const pause = retryPauses[attempt - 1] ?? 0;
    assert.ok(Math.abs(next - clock.now - pause) <= pause / 10 + 1, `pause ${attempt}`);
    assert.equal(state.queued, 1);
    clock.now = next - 1;
    await webhooks.deliver();
    assert.equal(receiver.received.length, attempt, "not before its time");
    clock.now = next;
    await webhooks.deliver();
    assert.equal(receiver.received.length, attempt + 1);
  }
  const hours = (clock.now - start) / 3_600_000;
  assert.ok(hours > 20 && hours < 28, `${hours} h`);
  const { state } = await webhooks.get(id);
  assert.deepEqual([state.queued, state.dropped, state.attempts[0]?.next], [0, 1, null]);
  assert.equal(state.failingSince, start);
  const ids = new Set(receiver.received.map(({ headers }) => headers.get("webhook-id")));
  assert.equal(ids.size, 1, "the same event each time");
  const times = receiver.received.map(({ headers }) => headers.get("webhook-timestamp"));
  assert.equal(new Set(times).size, receiver.received.length, "signed anew each time");
});

Deno.test("what waits is delivered after a restart, and by another server", async () => {
  using store = await disposable();
  await using receiver = startReceiver();
  receiver.answer(503);
  const clock = { now: Date.now() };
  {
    using first = open(store, receiver, clock);
    await first.add(draftFor(receiver));
    first.handle(uploaded("/a.txt"));
    await first.deliver();
  }
  receiver.answer(204);
  clock.now += 10_000;
  using second = open(store, receiver, clock);
  await second.deliver();
  assert.equal(receiver.received.length, 2);
  const [{ state }] = await second.list() as [Awaited<ReturnType<Webhooks["get"]>>];
  assert.deepEqual([state.queued, state.failingSince], [0, null]);
});

Deno.test("servers on one store deliver each event once, one at a time for each webhook", async () => {
  using store = await disposable();
  let [now, most] = [0, 0];
  const server = Deno.serve({ hostname: "127.0.0.1", port: 0, onListen() {} }, async () => {
    most = Math.max(most, ++now);
    await new Promise((done) => setTimeout(done, 5));
    now--;
    seen++;
    return new Response(null, { status: 204 });
  });
  let seen = 0;
  const { port } = server.addr;
  const receiver = { url: `http://127.0.0.1:${port}`, port } as Receiver;
  const clock = { now: Date.now() };
  {
    using one = open(store, receiver, clock);
    using two = open(store, receiver, clock);
    using three = open(store, receiver, clock);
    await one.add(draftFor(receiver));
    for (let count = 0; count < 20; count++) one.handle(uploaded(`/${count}.txt`));
    await one.flush();
    for (let round = 0; round < 20 && seen < 20; round++) {
      await Promise.all([one, two, three].map((each) => each.deliver()));
    }
  }
  await server.shutdown();
  assert.deepEqual([seen, most], [20, 1]);
});

Deno.test("a server that died while it delivered keeps its webhook for half a minute", async () => {
  await using scene = await begin();
  const { store, receiver, clock, webhooks } = scene;
  const { hook: { id } } = await webhooks.add(draftFor(receiver));
  webhooks.handle(uploaded("/a.txt"));
  await webhooks.flush();
  const key = ["webhook_states", id];
  const { value } = await store.get<object>(key);
  await store.atomic((operation) => operation.set(key, { ...value, runner: "dead", beat: 7 }));
  await webhooks.deliver();
  clock.now += 29_000;
  await webhooks.deliver();
  assert.equal(receiver.received.length, 0);
  clock.now += 1_500;
  await webhooks.deliver();
  assert.equal(receiver.received.length, 1);
});

Deno.test("events beyond the bound of the queue are dropped, and counted", async () => {
  await using scene = await begin(500);
  const { store, receiver, webhooks } = scene;
  const { hook: { id } } = await webhooks.add(draftFor(receiver));
  for (let count = 0; count < maxQueued + 25; count++) webhooks.handle(uploaded(`/${count}.txt`));
  await webhooks.flush();
  const { state } = await webhooks.get(id);
  assert.deepEqual([state.queued, state.dropped], [maxQueued, 25]);
  await webhooks.remove(id);
  assert.deepEqual(await store.list(["webhook_queue"]), []);
  assert.deepEqual(await store.list(["webhook_states"]), []);
});

Deno.test("events are kept while the store cannot be written, and are queued after", async () => {
  using store = await disposable();
  await using receiver = startReceiver();
  let isAway = false;
  const refusing: Store = {
    ...store,
    atomic(build) {
      if (isAway) throw new DomainError("busy", "Cannot write: the store is away");
      return store.atomic(build);
    },
  };
  const clock = { now: Date.now() };
  using webhooks = open(refusing, receiver, clock);
  const { hook: { id } } = await webhooks.add(draftFor(receiver));
  isAway = true;
  webhooks.handle(uploaded("/a.txt"));
  await webhooks.flush();
  webhooks.handle(uploaded("/b.txt"));
  await webhooks.flush();
  assert.equal(receiver.received.length, 0);
  isAway = false;
  await webhooks.deliver();
  const paths = receiver.received.map(({ event }) => event.data.path);
  assert.deepEqual(paths.sort(), ["/a.txt", "/b.txt"]);
  assert.equal((await webhooks.get(id)).state.dropped, 0);
});

Deno.test("after two days of failures a webhook is off, until it is switched on again", async () => {
  await using scene = await begin(500);
  const { receiver, clock, webhooks } = scene;
  const { hook: { id } } = await webhooks.add(draftFor(receiver));
  const run = async (ms: number) => {
    for (const end = clock.now + ms; clock.now < end; clock.now += 3_600_000) {
      await webhooks.deliver();
    }
  };
  webhooks.handle(uploaded("/first.txt"));
  await run(1.5 * dayMs);
  assert.equal((await webhooks.get(id)).state.ended, null, "a day is too short for that");
  webhooks.handle(uploaded("/second.txt"));
  await run(1.5 * dayMs);
  const { state } = await webhooks.get(id);
  assert.deepEqual([state.ended, state.queued], ["failed", 0]);
  const before = receiver.received.length;
  webhooks.handle(uploaded("/unheard.txt"));
  await webhooks.deliver();
  assert.equal(receiver.received.length, before);

  receiver.answer(204);
  await webhooks.change(id, draftFor(receiver));
  webhooks.handle(uploaded("/heard.txt"));
  await webhooks.deliver();
  assert.equal(receiver.received.at(-1)?.event.data.path, "/heard.txt");
  assert.equal((await webhooks.get(id)).state.ended, null);
});

Deno.test("410 Gone switches a webhook off at once, and drops what waits", async () => {
  const told: string[] = [];
  await using scene = await begin(410, ({ name }) => void told.push(name));
  const { receiver, webhooks } = scene;
  const { hook: { id } } = await webhooks.add(draftFor(receiver));
  webhooks.handle(uploaded("/a.txt"));
  webhooks.handle(uploaded("/b.txt"));
  await webhooks.deliver();
  const { state } = await webhooks.get(id);
  assert.deepEqual([state.ended, state.queued, state.dropped], ["gone", 0, 2]);
  assert.equal(receiver.received.length, 1);
  assert.deepEqual(told, ["n"]);
});

Deno.test("a webhook whose address is no longer allowed sends nothing", async () => {
  using store = await disposable();
  await using receiver = startReceiver();
  const clock = { now: Date.now() };
  let id = "";
  {
    using webhooks = open(store, receiver, clock);
    ({ hook: { id } } = await webhooks.add(draftFor(receiver)));
  }
  const rights: WebhookRights = { ports: [443], privateNetworks: [], http: false };
  const strict = new Webhooks({ store, rights, report: assert.ifError });
  const attempt = await strict.test(id);
  strict.close();
  assert.deepEqual([attempt.ok, attempt.fault], [false, "refused"]);
  assert.equal(receiver.received.length, 0);
});

async function disposable(): Promise<Store & Disposable> {
  const store = await openStore(":memory:");
  return Object.assign(store, { [Symbol.dispose]: () => store.close() });
}
