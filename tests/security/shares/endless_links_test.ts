import assert from "node:assert/strict";
import { join } from "node:path";
import { parsePath } from "../../../lib/shared/path.ts";
import { startApp, userPassword } from "../../support/server/app.ts";
import { assertRefused, assertStatus } from "../../support/server/refused.ts";
import { sharedHomes } from "../../support/server/shared_homes.ts";

const app = await startApp();
Deno.test.afterAll(app.close);
const { person, owner } = sharedHomes(app);
const { shares, requests, apiTokens } = app.cubby;

/** The end of the year 9999, in seconds. */
const end = 253_402_300_799;

/** Ends that no time can be, and those that no reader of RFC 3339 takes, in seconds since 1970. */
const overlong = [end + 1, 8_640_000_000_001, 185_544_382_939_761, Number.MAX_SAFE_INTEGER];

/** Each unit with a number of it that leads behind the year 9999. */
const lifetimes = [
  { expires: 2_147_483_647, unit: "days" },
  { expires: "2147483647", unit: "days" },
  { expires: 3_000_000, unit: "days" },
  { expires: 2_147_483_647, unit: "hours" },
];

Deno.test("a share or a request that would end after the year 9999 is refused", async () => {
  const anna = await owner();
  const { token } = anna;
  for (const json of lifetimes) {
    for (const call of ["share", "request"]) {
      await assertRefused(
        await app.call("POST", `/api/${call}/docs`, { token, json }),
        400,
        "invalid_body",
      );
      const made = await app.call("POST", `/api/${call}/docs`, { token, json: { expires: 1 } });
      const { hash, expire } = await made.json();
      const changed = await app.call("PATCH", `/api/${call}/${hash}`, { token, json });
      await assertRefused(changed, 400, "invalid_body");
      const list = await (await app.call("GET", `/api/${call}/docs`, { token })).json();
      assert.equal(list.find((each: { hash: string }) => each.hash === hash).expire, expire);
      await assertStatus(await app.call("DELETE", `/api/${call}/${hash}`, { token }), 200);
    }
  }
  const query = "?expires=2147483647&unit=days";
  await assertRefused(
    await app.call("POST", `/api/share/docs${query}`, { token }),
    400,
    "invalid_body",
  );
  assert.equal(await shares.isSharing(anna.user.id), false);
  // The longest that fits still does.
  for (const json of [{ expires: 2_147_483_647, unit: "minutes" }, { expires: 0, unit: "days" }]) {
    await assertStatus(await app.call("POST", "/api/share/docs", { token, json }), 200);
  }
});

Deno.test("an API token that would end after the year 9999, or at no time, is refused", async () => {
  const { token } = await owner();
  const current_password = userPassword;
  for (
    const expires of [
      "+010000-01-01T00:00:00Z",
      "+275760-09-13T00:00:00Z",
      "+275760-09-13T00:00:01Z",
      "9999-12-31T23:59:60Z",
    ]
  ) {
    const json = { name: "t", write: false, share: false, expires, current_password };
    const answer = await app.call("POST", "/api/tokens", { token, json });
    await assertRefused(answer, 400, "invalid_body", expires);
  }
});

Deno.test("links with an end that is no time are shown, changed and ended like all others", async () => {
  const [anna, friend] = [await owner(), await person()];
  const { token } = anna;
  for (const [index, expire] of overlong.entries()) {
    const path = parsePath(`${anna.user.scope}/docs`).path;
    const hash = `overlong-share-${index}`;
    await shares.adopt({
      ...{ hash, userId: anna.user.id, path, place: path, expire, passwordHash: null },
      terms: {
        ...{ name: "", downloadLimit: 0, viewOnly: false, linkPreview: false, edition: 0 },
        audience: { users: [friend.user.id], groups: [] },
      },
    });
    const request = await requests.create({ userId: anna.user.id, path, place: path }, {});
    const key = ["requests", request.hash];
    const { value } = await app.cubby.store.get(key);
    assert.ok(value, "the key of the record");
    await app.cubby.store.atomic((operation) => operation.set(key, { ...request, expire }));
    const draft = { name: "t", write: false, share: false };
    const made = await apiTokens.create(anna.user.id, { ...draft, expires: null }, null);
    const stored = await app.cubby.store.get<object>(["api_tokens", made.token.id]);
    assert.ok(stored.value);
    const endless = { ...stored.value, expires: expire * 1000 };
    await app.cubby.store.atomic((operation) => operation.set(stored.key, endless));

    const page = async (address: string, reader: string) => {
      const answer = await app.call("GET", address, { headers: { cookie: `auth=${reader}` } });
      const text = await answer.text();
      assert.equal(answer.status, 200, `${address} ${expire}`);
      assert.ok(!text.includes("Invalid Date"), address);
    };
    const boss = await app.tokenOf("admin");
    for (const reader of [token, boss]) await page("/settings/shares", reader);
    for (const address of ["/shared", "/settings/requests", "/settings/tokens", "/files/docs/"]) {
      const answer = await app.call("GET", address, { headers: { cookie: `auth=${token}` } });
      await answer.body?.cancel();
      assert.ok(answer.status < 500, `${address} ${answer.status}`);
    }
    await page("/shared-with-me", friend.token);
    await page(`/share/${hash}/`, friend.token);
    await page(`/request/${request.hash}`, friend.token);
    for (const address of ["/api/shares", "/api/share/docs", "/api/requests", "/api/tokens"]) {
      await assertStatus(await app.call("GET", address, { token }), 200, address);
    }
    await assertStatus(await app.call("GET", "/api/shared", { token: friend.token }), 200);
    const json = { expires: 1 };
    await assertStatus(await app.call("PATCH", `/api/share/${hash}`, { token, json }), 200);
    await assertStatus(await app.call("DELETE", `/api/share/${hash}`, { token }), 200);
    await assertStatus(await app.call("DELETE", `/api/request/${request.hash}`, { token }), 200);
  }
});

Deno.test("a file with a time that is none does not hide its folder", async () => {
  const disk = await Deno.makeTempDir({ dir: "/dev/shm" }).catch(() => null);
  if (disk === null) return;
  await using here = await startApp({ inProcess: true, config: { root: disk } });
  const { token } = await here.addUser("anna");
  for (const [index, seconds] of [...overlong, -8_640_000_000_001].entries()) {
    const path = join(disk, `${index}.txt`);
    await Deno.writeTextFile(path, "x");
    await new Deno.Command("touch", { args: ["-d", `@${seconds}`, path] }).output();
  }
  const listing = await here.call("GET", "/api/resources/", { token });
  assert.equal(listing.status, 200);
  for (const { name, modified } of (await listing.json()).items) {
    assert.match(modified, /^\d{4}-\d\d-\d\dT[\d:.]+Z$/, name);
    await assertStatus(await here.call("GET", `/api/resources/${name}`, { token }), 200, name);
    await assertStatus(await here.call("GET", `/api/raw/${name}`, { token }), 200, name);
  }
  await Deno.remove(disk, { recursive: true });
});
