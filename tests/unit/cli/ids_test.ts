import assert from "node:assert/strict";
import { readGiven } from "../../../lib/server/cli/flags.ts";
import { randomId } from "../../../lib/server/core/kv/random_id.ts";
import { ApiTokens } from "../../../lib/server/features/accounts/auth/api_tokens.ts";
import { LoginThrottle } from "../../../lib/server/features/accounts/auth/login_throttle.ts";
import { openStore } from "../../../lib/server/core/kv/store.ts";
import { renameId } from "../../support/records/rename_id.ts";
import "../../support/run/worst_ids.ts";
import { startApp } from "../../support/server/app.ts";
import { startReceiver } from "../../support/services/receiver.ts";
import { openTerminal, type TestTerminal } from "./terminal.ts";

Deno.test("a random id never begins as a flag does", () => {
  for (let time = 0; time < 100; time++) assert.match(randomId(12), /^\w[\w-]{15}$/);
});

Deno.test("no id that can be named on the command line begins with a hyphen", async () => {
  await using app = await startApp({ inProcess: true, tree: { docs: {} } });
  const { token } = await app.addUser("anna");
  const { apiTokens, invites, sessions, users } = app.cubby;
  const anna = await users.byName("anna");
  assert.ok(anna);
  for (let time = 0; time < 12; time++) {
    const share = await app.call("POST", "/api/share/docs", { token, json: {} });
    const request = await app.call("POST", "/api/request/docs", { token, json: {} });
    for (const answer of [share, request]) assert.match((await answer.json()).hash, /^\w/);
    await app.tokenOf("anna");
    const draft = { name: "t", write: false, share: false, expires: null };
    assert.match((await apiTokens.create(anna.id, draft, null)).token.id, /^\w/);
    const invited = { user: null, by: anna, hours: 1, username: null };
    assert.match((await invites.create(invited)).invite.id, /^\w/);
  }
  for (const { sid } of await sessions.list(anna.id)) assert.match(sid, /^\w/);
});

/** Lists what a command lists: the first words of its lines, below their head. */
async function idsOf(terminal: TestTerminal, command: string): Promise<string[]> {
  const [, ...lines] = await terminal.ok(command, "ls");
  return lines.map((line) => line.split(" ")[0] ?? "").filter(Boolean);
}

/** Gives two records ids as only older versions gave them: with one hyphen first, and with two. */
async function renameTwo(database: string, ids: readonly string[]): Promise<string[]> {
  const store = await openStore(database);
  const [one = "", two = "", ...others] = ids;
  const former = [`-${one.slice(1)}`, `--${two.slice(2)}`];
  for (const [index, id] of [one, two].entries()) await renameId(store, id, former[index] ?? "");
  store.close();
  return [...former, ...others];
}

/** An id as an argument: one that begins with two hyphens follows `--`. */
const named = (id: string) => id.startsWith("--") ? ["--", id] : [id];

Deno.test("a webhook of any id is listed, tested, renewed and removed by commands", async () => {
  await using terminal = await openTerminal();
  await using receiver = startReceiver();
  const flags = ["--webhook-http", "--webhook-private", "127.0.0.1"];
  await terminal.ok("config", "set", "--webhooks", ...flags, "--webhook-ports", `${receiver.port}`);
  for (let number = 0; number < 8; number++) {
    await terminal.ok("webhooks", "add", `w${number}`, `${receiver.url}/in`);
  }
  const ids = await renameTwo(terminal.database, await idsOf(terminal, "webhooks"));
  assert.deepEqual((await idsOf(terminal, "webhooks")).sort(), ids.toSorted());
  for (const id of ids) {
    for (const command of ["test", "renew", "rm"]) {
      await terminal.ok("webhooks", command, ...named(id));
    }
    assert.match(
      (await terminal.run("webhooks", "rm", ...named(id))).warned.join(),
      /no such id/,
    );
  }
  assert.deepEqual(await idsOf(terminal, "webhooks"), []);
});

Deno.test("an API token of any id is listed and revoked by commands", async () => {
  await using terminal = await openTerminal();
  await terminal.ok("users", "add", "anna", "otters hold 9 hands");
  const store = await openStore(terminal.database);
  const tokens = new ApiTokens(store, new LoginThrottle(store));
  const draft = { name: "t", write: false, share: false, expires: null };
  for (let number = 0; number < 8; number++) await tokens.create(1, draft, null);
  store.close();
  const ids = await renameTwo(terminal.database, await idsOf(terminal, "tokens"));
  assert.deepEqual((await idsOf(terminal, "tokens")).sort(), ids.toSorted());
  for (const id of ids) {
    await terminal.ok("tokens", "rm", ...named(id));
    assert.match(
      (await terminal.run("tokens", "rm", ...named(id))).warned.join(),
      /no such id/,
    );
  }
  assert.deepEqual(await idsOf(terminal, "tokens"), []);
});

Deno.test("users whose names look like numbers or flags are found by their ids and names", async () => {
  await using terminal = await openTerminal();
  const names = ["007", "1e0", "0x1", "12.0", "-1e9", "--no-x"];
  for (const name of names) await terminal.ok("users", "add", "--", name, "otters hold 9 hands");
  assert.deepEqual(await idsOf(terminal, "users"), names.map((_, index) => `${index + 1}`));
  for (const [index, name] of names.entries()) {
    const [, byId] = await terminal.ok("users", "find", `${index + 1}`);
    const [, byName] = await terminal.ok("users", "find", "--", name);
    assert.equal(byName, byId, name);
    await terminal.ok("users", "update", "--scope=/a", "--", name);
    await terminal.ok("users", "rm", "--", name);
  }
  assert.deepEqual(await idsOf(terminal, "users"), []);
});

Deno.test("an id of an older version that begins with a hyphen is no flag", () => {
  const ids = ["-8dpG38_wq5NqHpV", "-rbGQ2iLlBEo1bvjnZDqzA", `-${"a".repeat(42)}`];
  for (const id of ids) assert.deepEqual(readGiven([id], []).words, [id]);
  const twice = "--dpG38_wq5NqHpV";
  assert.deepEqual(readGiven(["--", twice], []).words, [twice]);
  for (const flag of ["-x", "-password", "--no-such-flag", "-scope=/a", twice]) {
    assert.throws(() => readGiven([flag], []), /no such flag/, flag);
  }
});
