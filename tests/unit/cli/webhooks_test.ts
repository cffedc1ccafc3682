import assert from "node:assert/strict";
import { openStore } from "../../../lib/server/core/kv/store.ts";
import { Webhooks } from "../../../lib/server/features/webhooks/webhooks.ts";
import { isSigned, startReceiver } from "../../support/services/receiver.ts";
import { openTerminal } from "./terminal.ts";

/** A line's part behind the last space. */
function lastWord(line = ""): string {
  return line.split(" ").at(-1) ?? "";
}

Deno.test("webhooks are refused where the option is off", async () => {
  await using terminal = await openTerminal();
  await terminal.ok("config", "init");
  for (
    const words of [["ls"], ["add", "Chat", "https://chat.example/"], ["rm", "x"], ["test", "x"], [
      "renew",
      "x",
    ]]
  ) {
    const { status, warned } = await terminal.run("webhooks", ...words);
    assert.equal(status, 1, words.join(" "));
    assert.match(warned.join(), /webhooks are off \(--webhooks\)/);
  }
});

Deno.test("a webhook that cannot be is refused, and none is added", async () => {
  await using terminal = await openTerminal();
  await terminal.ok("config", "set", "--webhooks");
  for (
    const [words, reason] of [
      [["add", "Chat"], /the url is missing/],
      [["add", "Chat", "http://chat.example/"], /the server allows https only/],
      [["add", "Chat", "https://127.0.0.1/"], /does not allow its address/],
      [["add", "Chat", "https://chat.example/", "--events", "writes,dance"], /events/],
      [["rm", "none"], /no such id/],
      [["renew", "none"], /no such id/],
    ] as const
  ) {
    const { status, warned } = await terminal.run("webhooks", ...words);
    assert.notEqual(status, 0);
    assert.match(warned.join(), reason);
  }
  assert.equal((await terminal.ok("webhooks", "ls")).length, 1, "the head of the table alone");
});

Deno.test("a webhook is added, tested, renewed, listed without its secret, and removed", async () => {
  await using terminal = await openTerminal();
  await using receiver = startReceiver();
  const flags = ["--webhook-http", "--webhook-private", "127.0.0.1"];
  await terminal.ok("config", "set", "--webhooks", ...flags, "--webhook-ports", `${receiver.port}`);
  const events = ["--events", "writes,users", "--path", "/docs"];
  const [added, told] = await terminal.ok(
    "webhooks",
    "add",
    "Chat",
    `${receiver.url}/in`,
    ...events,
  );
  const id = lastWord(added);
  const secret = lastWord(told);
  assert.match(secret, /^whsec_/);

  const [sent] = await terminal.ok("webhooks", "test", id);
  assert.match(sent ?? "", /^Sent msg_\w+: arrived \(HTTP 204\)$/);
  const renewed = lastWord((await terminal.ok("webhooks", "renew", id)).at(-1));
  assert.notEqual(renewed, secret);
  receiver.answer(500);
  const failed = await terminal.run("webhooks", "test", id);
  assert.deepEqual([failed.status, failed.printed.at(-1)?.endsWith("failed (HTTP 500)")], [
    1,
    true,
  ]);
  const [first, second] = receiver.received;
  assert.ok(first && isSigned(secret, first) && !isSigned(renewed, first));
  assert.ok(second && isSigned(secret, second) && isSigned(renewed, second));

  const listed = (await terminal.ok("webhooks", "ls")).join("\n");
  assert.match(listed, /Chat .*\/in +writes,users +\/docs +on +0 +0 +failed \(HTTP 500\)/);
  assert.ok(!listed.includes(secret) && !listed.includes(renewed));
  assert.deepEqual(await terminal.ok("webhooks", "rm", id), [`Removed the webhook "${id}"`]);
  assert.equal((await terminal.ok("webhooks", "ls")).length, 1);
});

Deno.test("changes by the command line wait in the store for a server that sends them", async () => {
  await using terminal = await openTerminal();
  await using receiver = startReceiver();
  const rights = { ports: [receiver.port], privateNetworks: ["127.0.0.1"], http: true };
  const flags = ["--webhook-http", "--webhook-private", "127.0.0.1"];
  await terminal.ok("config", "set", "--webhooks", ...flags, "--webhook-ports", `${receiver.port}`);
  for (const kind of ["users", "settings", "shares"]) {
    await terminal.ok("webhooks", "add", kind, `${receiver.url}/${kind}`, "--events", kind);
  }
  await terminal.ok("users", "add", "kim", "four herons at dawn");
  await terminal.ok("users", "update", "kim", "--perm.share=true");
  await terminal.ok("config", "set", "--signup");
  assert.equal(receiver.received.length, 0, "the command line sends nothing");
  const waiting = async () =>
    (await terminal.ok("webhooks", "ls")).slice(1).map((line) => / on +(\d+) +0 /.exec(line)?.[1]);
  const before = await waiting();

  const store = await openStore(terminal.database);
  const webhooks = new Webhooks({ store, rights, report: (error) => assert.fail(`${error}`) });
  await webhooks.deliver();
  webhooks.close();
  store.close();
  const sent = receiver.received.map(({ path, event: { type, data } }) =>
    [path, type, data.user, data.subject].join(" ")
  );
  assert.deepEqual(sent.sort(), [
    "/settings settings_change command line signup",
    "/settings webhook_add command line settings",
    "/settings webhook_add command line shares",
    "/users user_add command line kim",
    "/users user_change command line kim: perm",
  ]);
  assert.deepEqual(before, ["2", "3", "0"]);
  assert.deepEqual(await waiting(), ["0", "0", "0"]);
});
