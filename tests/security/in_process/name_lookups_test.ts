import assert from "node:assert/strict";
import { permissionsWhere } from "../../../lib/shared/schemas/choices/choices.ts";
import { startApp, type TestUser } from "../../support/server/app.ts";
import { assertRefused } from "../../support/server/refused.ts";

const app = await startApp({ inProcess: true });
Deno.test.afterAll(app.close);
const none = permissionsWhere(() => false);
const quota = { bytes: 0, files: 0 };
const { groups } = app.cubby.users;
let names = 0;

const person = async (user: TestUser = {}) => await app.addUser(`asker ${++names}`, user);

async function offerNames(suggestNames: boolean): Promise<void> {
  await app.cubby.settings.update({ ...await app.cubby.settings.get(), suggestNames });
}

const ask = (token: string, query: string) =>
  app.call("GET", `/api/recipients?query=${encodeURIComponent(query)}`, { token });

async function found(token: string, query: string): Promise<string[]> {
  const answer = await ask(token, query);
  assert.equal(answer.status, 200, await answer.clone().text());
  return await answer.json();
}

await app.addUser("Zoë Adams");
await app.addUser("zoltan");
await app.addUser("someone");
const club = await groups.create({ name: "Zoo club", perm: none, rules: [], roots: [], quota });
await groups.create({ name: "Zoo board", perm: none, rules: [], roots: [], quota });

Deno.test("names are told to nobody while the setting is off, but to administrators", async () => {
  await offerNames(false);
  const asker = await person();
  assert.deepEqual(await found(asker.token, "zo"), []);
  const boss = await person({ perm: { admin: true } });
  assert.deepEqual(
    await found(boss.token, "zo"),
    ["Zoë Adams", "zoltan", "@Zoo board", "@Zoo club"],
  );
  await offerNames(true);
  assert.ok((await found(asker.token, "zo")).includes("zoltan"));
  await offerNames(false);
  assert.deepEqual(await found(asker.token, "zo"), []);
});

Deno.test("while it is off a user finds those of the own shares and groups, and nobody else", async () => {
  await offerNames(false);
  await Deno.writeTextFile(`${app.root}/a.txt`, "a");
  const [asker, other] = [await person(), await person()];
  const share = async (by: typeof asker, audience: object[]) => {
    const json = { audience };
    const answer = await app.call("POST", "/api/share/a.txt", { token: by.token, json });
    assert.equal(answer.status, 200, await answer.clone().text());
    return (await answer.json()).hash;
  };
  const right = (name: string) => ({ name, may: "download" });
  const hash = await share(asker, [right("zoltan"), right("@Zoo board")]);
  await share(other, [right("Zoë Adams")]);
  assert.deepEqual(await found(asker.token, "zo"), ["zoltan", "@Zoo board"]);
  assert.deepEqual(await found(asker.token, "@zo"), ["@Zoo board"]);
  assert.deepEqual(await found(other.token, "zo"), ["Zoë Adams"]);
  assert.deepEqual(await found(asker.token, "z"), []);
  await groups.setMembers(club, [asker.user.id]);
  assert.deepEqual(await found(asker.token, "zoo"), ["@Zoo board", "@Zoo club"]);
  await groups.setMembers(club, []);
  const gone = await app.addUser("zora");
  await share(asker, [right("zora")]);
  await app.cubby.users.remove(gone.user.id);
  await app.cubby.shares.remove({ hash });
  assert.deepEqual(await found(asker.token, "zo"), []);
  const unable = await person({ perm: { share: false } });
  await assertRefused(await ask(unable.token, "zo"), 403, "forbidden");
});

Deno.test("who may not share learns no name, nor do visitors and API tokens", async () => {
  await offerNames(true);
  for (const lacking of ["share", "download"] as const) {
    const asker = await person({ perm: { [lacking]: false } });
    await assertRefused(await ask(asker.token, "zo"), 403, "forbidden", lacking);
  }
  await assertRefused(await ask("", "zo"), 401, "not_signed_in");
  const asker = await person();
  const options = { name: "t", write: true, share: true, expires: null };
  const { secret } = await app.cubby.apiTokens.create(asker.user.id, options, null);
  await assertRefused(await ask(secret, "zo"), 403, "forbidden");
});

Deno.test("a beginning of two characters is needed, and only beginnings are found", async () => {
  await offerNames(true);
  const { token } = await person();
  for (const query of ["", " ", "z", "@", "@z", "*", "%", ".*", "adams", "ltan", "o", "\0"]) {
    assert.deepEqual(await found(token, query), [], query);
  }
  assert.deepEqual(await found(token, "ZOË"), ["Zoë Adams"]);
  assert.deepEqual(await found(token, "zoe\u0308"), ["Zoë Adams"], "decomposed");
  assert.deepEqual(await found(token, "asker 999"), []);
});

Deno.test("users find the groups that they are in, and never oneself", async () => {
  await offerNames(true);
  const { token, user } = await person();
  assert.deepEqual(await found(token, "zoo"), []);
  await groups.setMembers(club, [user.id]);
  assert.deepEqual(await found(token, "zoo"), ["@Zoo club"]);
  assert.deepEqual(await found(token, "@zoo"), ["@Zoo club"]);
  assert.deepEqual(await found(token, "@zol"), [], "no user behind an @");
  await groups.setMembers(club, []);
  assert.deepEqual(await found(token, "zoo"), []);
  assert.ok(!(await found(token, user.username)).includes(user.username));
});

Deno.test("an answer has eight names at most, and lookups in a row end for a while", async () => {
  await offerNames(true);
  for (let index = 0; index < 12; index++) await app.addUser(`many ${index}`);
  const { token } = await person();
  assert.equal((await found(token, "many")).length, 8);
  const statuses = await Promise.all(
    Array.from({ length: 80 }, async () => {
      const answer = await ask(token, "many");
      await answer.body?.cancel();
      return answer.status;
    }),
  );
  assert.equal(statuses.filter((status) => status === 200).length, 59);
  await assertRefused(await ask(token, "many"), 429, "throttled");
  const other = await person();
  assert.equal((await found(other.token, "many")).length, 8, "another user");
  await app.later(61_000, async () => assert.equal((await ask(token, "many")).status, 200));
});

Deno.test("names of recipients are not tried out: wrong ones are bounded, also of a hundred at once", async () => {
  await offerNames(false);
  await Deno.writeTextFile(`${app.root}/a.txt`, "a");
  const { token } = await person();
  const share = (audience: string[], by = token) =>
    app.call("POST", "/api/share/a.txt", { token: by, json: { audience } });
  const status = async (audience: string[]) => {
    const answer = await share(audience);
    await answer.body?.cancel();
    return answer.status;
  };
  const wrong = Array.from({ length: 100 }, (_, index) => [`nobody ${index}`]);
  const statuses = await Promise.all(wrong.map(status));
  assert.equal(statuses.filter((each) => each === 400).length, 20);
  assert.equal(statuses.filter((each) => each === 429).length, 80);
  // Nor does it tell now who is there.
  const closed = await share(["zoltan"]);
  assert.ok(Number(closed.headers.get("retry-after")) > 0);
  const message = await assertRefused(closed, 429, "throttled");
  assert.match(message, /^Cannot share by name: too many names were wrong/);
  assert.equal(await status([]), 200, "nobody is named");
  const other = await person();
  assert.equal((await share(["zoltan"], other.token)).status, 200, "another user");
  const boss = await person({ perm: { admin: true } });
  for (const names of wrong.slice(0, 25)) {
    await assertRefused(await share(names, boss.token), 400, "invalid_body");
  }
});

Deno.test("right names of recipients are given at will", async () => {
  const { token } = await person();
  for (let time = 0; time < 30; time++) {
    const json = { audience: ["zoltan"] };
    const answer = await app.call("POST", "/api/share/a.txt", { token, json });
    assert.equal(answer.status, 200, await answer.text());
  }
});
