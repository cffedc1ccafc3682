import assert from "node:assert/strict";
import sharp from "sharp";
import { ensureMediaPrograms } from "../../support/disks/media_programs.ts";
import { makeFilms } from "../../support/data/films.ts";
import { startApp } from "../../support/server/app.ts";
import { assertRefused } from "../../support/server/refused.ts";

await ensureMediaPrograms();
const films = await makeFilms();
const app = await startApp({
  config: { disableMediaPrograms: false },
  tree: {
    "old.mkv": films["old.mkv"],
    "tune.wma": films["tune.wma"],
    "notes.txt": "a text",
    folder: { "disc.mpg": films["disc.mpg"] },
  },
});
Deno.test.afterAll(app.close);
const token = await app.tokenOf("admin");
const get = (path: string) => app.call("GET", `/api/stream/picture/${path}`, { token });
// Starts the host of ffmpeg before the tests, which must not leave a process behind.
await (await get("old.mkv")).body?.cancel();

Deno.test("a picture of a film is refused to those who may not read it, and of what has none", async () => {
  await assertRefused(await app.call("GET", "/api/stream/picture/old.mkv"), 401, "not_signed_in");
  const { token: weak } = await app.addUser("weak", { perm: { download: false } });
  const refused = await app.call("GET", "/api/stream/picture/old.mkv?at=4", { token: weak });
  await assertRefused(refused, 403, "forbidden");
  await assertRefused(await get("none.mkv"), 404, "not_found");
  await assertRefused(await get("old.mkv?at=-1"), 400, "invalid_option");
  await assertRefused(await get("old.mkv?at=1e3"), 400, "invalid_option");
  for (const name of ["tune.wma", "notes.txt"]) {
    await assertRefused(await get(name), 501, "not_supported", name);
  }
});

Deno.test("places near each other share a picture, and others have their own", async () => {
  const picture = async (at: number, name = "old.mkv") => {
    const answer = await get(`${name}?at=${at}`);
    assert.equal(answer.status, 200, answer.ok ? "" : await answer.clone().text());
    assert.equal(answer.headers.get("content-type"), "image/jpeg");
    assert.match(answer.headers.get("cache-control") ?? "", /^private, max-age=/);
    return await answer.bytes();
  };
  const [first, near, later, beyond, last] = [
    await picture(4),
    await picture(5),
    await picture(8),
    await picture(900_000),
    await picture(9),
  ];
  assert.deepEqual(first, near);
  assert.notDeepEqual(first, later);
  assert.deepEqual(beyond, last);
  const { format, width, height } = await sharp(first).metadata();
  assert.deepEqual([format, width, height], ["jpeg", 240, 134]);
  assert.ok((await picture(3, "folder/disc.mpg")).length > 500);
});

Deno.test("visitors of a share see them, unless it counts downloads", async () => {
  const share = async (json: object) => {
    const answer = await app.call("POST", "/api/share/folder", { token, json });
    return (await answer.json()).hash as string;
  };
  const visit = (path: string) => app.call("GET", `/api/public/stream/picture/${path}`);
  const seen = await visit(`${await share({ viewOnly: true })}/disc.mpg?at=2`);
  assert.equal(seen.status, 200);
  await seen.body?.cancel();
  const counted = await share({ downloadLimit: 1 });
  await assertRefused(await visit(`${counted}/disc.mpg`), 403, "forbidden");
});
