import assert from "node:assert/strict";
import { join } from "node:path";
import { startApp } from "../../support/server/app.ts";
import { quarters } from "../../support/data/pictures.ts";
import { assertRefused } from "../../support/server/refused.ts";

const photo = (taken: string, zone?: string) =>
  quarters(30, 20).jpeg().withExif({
    IFD2: { DateTimeOriginal: taken, ...(zone && { OffsetTimeOriginal: zone }) },
  }).toBuffer();
const plain = await quarters(30, 20).jpeg().toBuffer();

const app = await startApp({
  tree: {
    trip: {
      "a.jpg": await photo("2024:05:06 07:08:09", "+09:00"),
      "b.jpg": await photo("2024:05:06 23:59:00"),
      "c.jpg": await photo("2023:12:31 10:00:00"),
      "d.jpg": plain,
      "e.txt": "a text",
      inside: {},
    },
    zones: { "c.jpg": await photo("2023:12:31 10:00:00"), "e.txt": "a text" },
    many: Object.fromEntries(
      await Promise.all(Array.from({ length: 1_700 }, async (_, at) => {
        const day = String(at % 28 + 1).padStart(2, "0");
        const text = at < 40 ? await photo(`2022:03:${day} 10:00:00`) : "";
        return [`${String(at).padStart(4, "0")}.${at < 40 ? "jpg" : "txt"}`, text] as const;
      })),
    ),
  },
});
Deno.test.afterAll(app.close);
for (const name of ["d.jpg", "e.txt"]) {
  await Deno.utime(join(app.root, "trip", name), new Date(), new Date("2024-01-15T12:00:00Z"));
}
const token = await app.tokenOf("admin");
const list = async (path: string, as = token, headers = {}) => {
  for (;;) {
    const answer = await app.call("GET", `/api/resources/${path}`, { token: as, headers });
    const listed = await answer.json();
    if (!listed.unread) return listed;
  }
};
const namesIn = (listed: { items: { name: string }[] }) =>
  listed.items.map(({ name }) => name).join(" ");

Deno.test("entries are sorted by when they were taken, or else modified, in both directions", async () => {
  const asc = await list("trip?sort=taken&order=asc");
  assert.equal(namesIn(asc), "inside c.jpg d.jpg e.txt a.jpg b.jpg");
  assert.deepEqual(asc.sorting, { by: "taken", asc: true });
  const desc = await list("trip?sort=taken&order=desc");
  assert.equal(namesIn(desc), "inside b.jpg a.jpg d.jpg e.txt c.jpg");
  await assertRefused(
    await app.call("GET", "/api/resources/trip?sort=takken", { token }),
    400,
    "invalid_option",
  );
});

Deno.test("days and months are those of taking, where entries are sorted so", async () => {
  const days = await list("trip?sort=taken&order=desc&groupBy=day");
  assert.deepEqual(days.groups, [
    { name: "folder", count: 1 },
    { name: "2024-05-06", count: 2 },
    { name: "2024-01-15", count: 2 },
    { name: "2023-12-31", count: 1 },
  ]);
  const months = await list("trip?sort=taken&order=asc&groupBy=month");
  const names = months.groups.map(({ name }: { name: string }) => name);
  assert.deepEqual(names, ["folder", "2023-12", "2024-01", "2024-05"]);
});

Deno.test("a file without a date of taking has the day of the viewer's zone", async () => {
  await Deno.utime(join(app.root, "zones", "e.txt"), new Date(), new Date("2024-01-15T20:00:00Z"));
  const headers = { cookie: "tz=Asia/Tokyo" };
  const days = await list("zones?sort=taken&order=asc&groupBy=day", token, headers);
  assert.deepEqual(days.groups.map(({ name }: { name: string }) => name), [
    ...["2023-12-31", "2024-01-16"],
  ]);
  const modified = await list("zones?sort=name&order=asc&groupBy=day", token, headers);
  assert.ok(modified.groups.some(({ name }: { name: string }) => name === "2024-01-16"));
});

Deno.test("who may not download learns nothing of the dates in files", async () => {
  const { token: weak } = await app.addUser("weak", { perm: { download: false } });
  const listed = await list("trip?sort=taken&order=asc&groupBy=month", weak);
  const names = listed.groups.map(({ name }: { name: string }) => name);
  assert.ok(!names.includes("2023-12"), names.join(" "));
});

Deno.test("a large folder, which another thread lists, is sorted likewise", async () => {
  const first = await list("many?sort=taken&order=asc&limit=3&groupBy=day");
  assert.equal(namesIn(first), "0000.jpg 0028.jpg 0001.jpg");
  assert.equal(first.groups[0].name, "2022-03-01");
  assert.equal(first.groups[0].count, 2);
  const later = await list("many?sort=taken&order=asc&limit=2&offset=2");
  assert.equal(namesIn(later), "0001.jpg 0029.jpg");
});

Deno.test("ratios are in the same order", async () => {
  await list("trip?sort=taken&order=asc");
  const answer = await app.call("GET", "/api/ratios/trip?sort=taken&order=asc", { token });
  assert.deepEqual((await answer.json()).ratios, [100, 150, 150, 100, 150, 150]);
});
