import assert from "node:assert/strict";
import { join } from "node:path";
import { startApp } from "../../support/server/app.ts";
import { quarters } from "../../support/data/pictures.ts";
import { deny } from "../../support/data/rules.ts";

const photo = (taken: string, width = 30) =>
  quarters(width, 20).jpeg().withExif({ IFD2: { DateTimeOriginal: taken } }).toBuffer();

const app = await startApp({
  tree: {
    trip: {
      "old.jpg": await photo("2024:05:06 23:30:00"),
      "older.jpg": await photo("2023:12:31 10:00:00", 60),
      "plain.jpg": await quarters(30, 20).jpeg().toBuffer(),
      "broken.jpg": "no picture",
      "notes 2024.txt": "a text",
      deep: { "new.jpg": await photo("2026:01:02 03:04:05") },
    },
    secret: { "old.jpg": await photo("2024:05:06 12:00:00") },
    other: { "old too.jpg": await photo("2024:05:07 00:30:00") },
  },
});
Deno.test.afterAll(app.close);
for (const name of ["plain.jpg", "notes 2024.txt", "broken.jpg"]) {
  const modified = new Date("2024-05-06T20:00:00Z");
  await Deno.utime(join(app.root, "trip", name), new Date(), modified);
}
const token = await app.tokenOf("admin");
type Result = { path: string; taken?: string; ratio?: number; modified?: string; unread?: number };
const results = async (
  query: string,
  options = "",
  as = token,
  headers = {},
): Promise<Result[]> => {
  const path = `/api/search${query.startsWith("/") ? query : `/?query=${query}`}${options}`;
  const answer = await app.call("GET", path, { token: as, headers });
  assert.equal(answer.status, 200, path);
  return await answer.json();
};
const paths = async (...args: Parameters<typeof results>) =>
  (await results(...args)).map(({ path }) => path.split("/").at(-1)).sort();

Deno.test("dates are those of taking, or else of the file", async () => {
  const day = ["broken.jpg", "notes 2024.txt", "old.jpg", "old.jpg", "plain.jpg"];
  for (const text of ["2024-05-06", "2024-05-06..2024-05-06"]) {
    assert.deepEqual(await paths(`date:${text}`), day, text);
  }
  assert.deepEqual(await paths("date:2023"), ["older.jpg"]);
  assert.deepEqual(await paths("date:2024-05 type:image"), [
    ...["broken.jpg", "old too.jpg", "old.jpg", "old.jpg", "plain.jpg"],
  ]);
  assert.deepEqual(await paths("type:image date:..2023-12-31"), ["older.jpg"]);
  assert.deepEqual(await paths("type:image date:2025.."), ["new.jpg"]);
  assert.deepEqual(await paths("date:>2024-05-07 type:image"), ["new.jpg", "old too.jpg"]);
  assert.deepEqual(await paths("date:<2024-01-01"), ["older.jpg"]);
  const today = await paths("date:today");
  assert.ok(today.includes("trip") && !today.includes("old.jpg"), "folders were made just now");
  assert.deepEqual(await paths("modified:2023"), [], "modified: is about the file");
});

Deno.test("a day is that of the camera for pictures, and of the viewer for files", async () => {
  const headers = { cookie: "tz=Asia/Tokyo" };
  assert.deepEqual(await paths("date:2024-05-06", "", token, headers), ["old.jpg", "old.jpg"]);
  assert.deepEqual(await paths("date:2024-05-07", "", token, headers), [
    ...["broken.jpg", "notes 2024.txt", "old too.jpg", "plain.jpg"],
  ]);
});

Deno.test("dates and shapes are told where they are asked for, and nothing else", async () => {
  const [older] = await results("older", "&media=true&details=true");
  assert.deepEqual({ ...older, size: 0, modified: "" }, {
    ...{ path: "trip/older.jpg", dir: false, size: 0, modified: "" },
    ...{ taken: "2023-12-31T10:00:00", ratio: 300 },
  });
  assert.deepEqual(await results("older date:2023"), [{ path: "trip/older.jpg", dir: false }]);
  const [plain] = await results("plain", "&media=true");
  assert.deepEqual(plain, { path: "trip/plain.jpg", dir: false, ratio: 150 });
  const lines = await app.call("GET", "/api/search/?query=older&media=true", {
    token,
    headers: { accept: "application/x-ndjson" },
  });
  assert.equal(
    await lines.text(),
    '{"path":"trip/older.jpg","dir":false,"taken":"2023-12-31T10:00:00","ratio":300}\n',
  );
});

Deno.test("dates hold below a folder, and elsewhere after it", async () => {
  const found = await results("/trip/deep/?query=date:2024-05%20type:image&elsewhere=true");
  assert.ok(found.every(({ path }) => path.startsWith("/")));
  assert.equal(found.length, 5);
  assert.deepEqual(await paths("/trip/deep/?query=date:2026"), ["new.jpg"]);
});

Deno.test("who may not download, or may not know of a file, learns nothing of its date", async () => {
  const { token: weak } = await app.addUser("weak", { perm: { download: false } });
  assert.deepEqual(await paths("date:2023", "", weak), []);
  assert.deepEqual(await results("older", "&media=true", weak), [
    { path: "trip/older.jpg", dir: false },
  ]);
  const { token: ruled } = await app.addUser("ruled", { rules: [deny("/secret")] });
  const found = await results("old date:2024-05-06", "", ruled);
  assert.deepEqual(found.map(({ path }) => path), ["trip/old.jpg"]);
});

Deno.test("of very many pictures some are read for each search, and the rest is told", async () => {
  const folder = join(app.root, "many");
  Deno.mkdirSync(folder);
  const bytes = await photo("2020:02:02 02:02:02");
  for (let at = 0; at < 4_100; at++) {
    const path = join(folder, `many ${at}.jpg`);
    Deno.writeFileSync(path, bytes);
    if (at >= 4_050) Deno.utimeSync(path, 1_580_000_000, 1_580_000_000);
  }
  const ask = () => results("/many/?query=date:2020&media=true");
  let found = await ask();
  const rest = found.at(-1)?.unread ?? 0;
  assert.ok(rest >= 100 && rest < 4_100, `${rest}`);
  for (let before = rest; before > 0;) {
    found = await ask();
    const now = found.at(-1)?.unread ?? 0;
    assert.ok(now < before, `${now} ${before}`);
    before = now;
  }
  assert.equal(found.length, 4_100);
  const taken = found.filter(({ taken }) => taken === "2020-02-02T02:02:02");
  assert.equal(taken.length, 4_100);
  Deno.removeSync(folder, { recursive: true });
});
