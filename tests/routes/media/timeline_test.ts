import assert from "node:assert/strict";
import { join } from "node:path";
import { startApp } from "../../support/server/app.ts";
import { quarters } from "../../support/data/pictures.ts";
import { assertRefused } from "../../support/server/refused.ts";
import { delay } from "../../../lib/shared/delay.ts";
import { dayMs } from "../../../lib/shared/time.ts";

/** A picture with what a camera writes. */
const photo = async (taken: string, place?: [latitude: string, longitude: string]) => {
  const IFD2 = { DateTimeOriginal: taken };
  const IFD3 = place && {
    ...{ GPSLatitudeRef: "N", GPSLatitude: place[0] },
    ...{ GPSLongitudeRef: "E", GPSLongitude: place[1] },
  };
  return await quarters(30, 20).jpeg().withExif({ IFD2, ...IFD3 && { IFD3 } }).toBuffer();
};

const today = new Date();
const onThisDay = (year: number) =>
  `${year}:${String(today.getUTCMonth() + 1).padStart(2, "0")}:${
    String(today.getUTCDate()).padStart(2, "0")
  } 10:00:00`;
const berlin: [string, string] = ["52/1 30/1 0/1", "13/1 24/1 0/1"];

const app = await startApp({
  tree: {
    trip: {
      "a.jpg": await photo("2024:05:02 10:00:00", berlin),
      "b.jpg": await photo("2023:01:02 10:00:00"),
    },
    home: {
      ann: {
        "mine.jpg": await photo("2022:03:04 05:06:07"),
        ".hidden.jpg": await photo("2022:03:05 05:06:07"),
        secret: { "s.jpg": await photo("2022:04:05 05:06:07") },
      },
      bob: { "his.jpg": await photo("2021:03:04 05:06:07", ["10/1 0/1 0/1", "20/1 0/1 0/1"]) },
    },
    memories: { "m.jpg": await photo(onThisDay(2019)), "n.jpg": await photo(onThisDay(2018)) },
    "notes.txt": "a text",
    "broken.jpg": "no picture",
  },
});
Deno.test.afterAll(app.close);
await Deno.utime(join(app.root, "broken.jpg"), new Date("2020-01-01"), new Date("2020-01-01"));
const token = await app.tokenOf("admin");
const call = (path = "", as = token) => app.call("GET", `/api/timeline${path}`, { token: as });
const read = async (path = "", as = token) => await (await call(path, as)).json();
const paths = async (path = "", as = token): Promise<string[]> =>
  (await read(path, as)).items.map(({ path }: { path: string }) => path);
/** Waits until the index has all files of the disk. */
const filled = async (total: number) => {
  for (;;) {
    const window = await read("?limit=0");
    if (window.unread === 0 && window.total === total) return;
    await delay(20);
  }
};
await filled(9);

const all = [
  "/trip/a.jpg",
  "/trip/b.jpg",
  "/home/ann/secret/s.jpg",
  "/home/ann/.hidden.jpg",
  "/home/ann/mine.jpg",
  "/home/bob/his.jpg",
  "/broken.jpg",
  "/memories/m.jpg",
  "/memories/n.jpg",
];

Deno.test("the timeline is refused to those who may not download, and with wrong options", async () => {
  const { token: weak } = await app.addUser("weak", { perm: { download: false } });
  for (const path of ["", "/ratios", "/places"]) {
    await assertRefused(await call(path, ""), 401, "not_signed_in");
    await assertRefused(await call(path, weak), 403, "forbidden");
  }
  await assertRefused(await call("?groupBy=colour"), 400, "invalid_option");
  await assertRefused(await call("?offset=-1"), 400, "invalid_option");
  for (const box of ["1,2,3", "1,2,3,91", "200,0,0,0", "a,b,c,d", "1,2,3,4,5"]) {
    await assertRefused(await call(`?within=${box}`), 400, "invalid_option");
  }
});

Deno.test("photos of all folders come by when they were taken, the latest first", async () => {
  assert.deepEqual(await paths(), all);
  const { total, groups } = await read("?groupBy=month");
  assert.equal(total, all.length);
  assert.deepEqual(groups.slice(0, 4), [
    { name: "2024-05", count: 1 },
    { name: "2023-01", count: 1 },
    { name: "2022-04", count: 1 },
    { name: "2022-03", count: 2 },
  ]);
  assert.deepEqual((await read("?groupBy=day")).groups[0], { name: "2024-05-02", count: 1 });
  assert.deepEqual(await paths("?offset=2&limit=2"), all.slice(2, 4));
  const around = await read("?around=/home/ann/mine.jpg&limit=2");
  assert.deepEqual([around.offset, around.items[0].path], [4, "/home/ann/mine.jpg"]);
  const { ratios, unread } = await read("/ratios");
  assert.deepEqual([unread, ratios], [0, all.map((path) => path === "/broken.jpg" ? 100 : 150)]);
});

Deno.test("what a user may not see is not in the timeline, nor counted", async () => {
  const { token: ann } = await app.addUser("ann", {
    scope: "/home/ann",
    hideDotfiles: true,
    rules: [{ regex: false, allow: false, path: "/secret", regexp: { raw: "" } }],
  });
  const { total, items, groups, unread } = await read("", ann);
  assert.deepEqual(items.map(({ path }: { path: string }) => path), ["/mine.jpg"]);
  assert.deepEqual([total, unread, groups], [1, 0, [{ name: "2022-03", count: 1 }]]);
  assert.deepEqual((await read("/ratios", ann)).ratios, [150]);
  assert.deepEqual(await read("/places", ann), { places: [], days: [], total: 0 });
  assert.deepEqual((await read("?around=/secret/s.jpg&limit=1", ann)).offset, 0);
});

Deno.test("named folders are in the timeline under their names, one in another once", async () => {
  const { token: carl } = await app.addUser("carl", {
    roots: [
      { name: "Homes", path: "/home", readOnly: false },
      { name: "Ann", path: "/home/ann", readOnly: true },
    ],
  });
  assert.deepEqual(await paths("", carl), [
    "/Ann/secret/s.jpg",
    "/Ann/.hidden.jpg",
    "/Ann/mine.jpg",
    "/Homes/bob/his.jpg",
  ]);
});

Deno.test("places are those of the viewer, and photos are found by them", async () => {
  const dayOf = (date: string) => Date.parse(date) / dayMs;
  assert.deepEqual(await read("/places"), {
    places: [52.5, 13.4, 10, 20],
    days: [dayOf("2024-05-02"), dayOf("2021-03-04")],
    total: 2,
  });
  assert.deepEqual(await paths("?within=13,52,14,53"), ["/trip/a.jpg"]);
  assert.deepEqual(await paths("?within=170,52,14,53"), ["/trip/a.jpg"]);
  assert.deepEqual(await paths("?within=14,52,15,53"), []);
});

Deno.test("where a photo was taken is in no preview of it, nor in what a share tells", async () => {
  const json = { expires: "", unit: "hours" };
  const made = await app.call("POST", "/api/share/trip", { token, json });
  const { hash } = await made.json();
  const shared = await app.call("GET", `/api/public/share/${hash}/`, {});
  assert.ok(!/latitude|52\.5/.test(await shared.text()));
  for (const size of ["thumb", "big"]) {
    const preview = await app.call("GET", `/api/preview/${size}/trip/a.jpg`, { token });
    const text = new TextDecoder("latin1").decode(await preview.arrayBuffer());
    assert.ok(text.length > 100 && !/Exif|GPS/.test(text), size);
  }
});

Deno.test("own changes are in the timeline at once, and a moved photo keeps its date", async () => {
  const send = async (method: string, path: string, options = {}) => {
    const answer = await app.call(method, path, { token, ...options });
    assert.ok(answer.ok, `${method} ${path}: ${answer.status}`);
  };
  const body = await photo("2030:01:01 00:00:00");
  await send("POST", "/api/resources/trip/new.jpg", { body });
  assert.equal((await paths("?limit=1"))[0], "/trip/new.jpg");
  await send("PATCH", "/api/resources/trip/new.jpg?action=rename&destination=/moved.jpg");
  assert.deepEqual(await paths("?limit=2"), ["/moved.jpg", "/trip/a.jpg"]);
  await send("PATCH", "/api/resources/trip?action=rename&destination=/journey");
  assert.deepEqual((await paths("?limit=3")).slice(1), ["/journey/a.jpg", "/journey/b.jpg"]);
  await send("PATCH", "/api/resources/journey?action=rename&destination=/trip");
  await send("DELETE", "/api/resources/moved.jpg");
  assert.deepEqual(await paths(), all);
});

Deno.test("what another program has deleted is left out when it would be shown", async () => {
  await Deno.writeFile(join(app.root, "extra.jpg"), await photo("2031:01:01 00:00:00"));
  await app.call("POST", "/api/resources/beside.jpg", {
    token,
    body: await photo("2032:01:01 00:00:00"),
  });
  await Deno.remove(join(app.root, "beside.jpg"));
  const { items, total, groups } = await read();
  assert.deepEqual(items.map(({ path }: { path: string }) => path), all);
  assert.deepEqual([total, groups[0].name], [all.length, "2024-05"]);
  await Deno.remove(join(app.root, "extra.jpg"));
});

Deno.test("a damaged or deleted index is made anew", async () => {
  const path = join(app.cubby.config.cacheDir, "photos.db");
  await Deno.writeTextFile(path, "damaged".repeat(1_000));
  await app.call("GET", "/api/timeline", { token });
  for (const suffix of ["", "-wal", "-shm"]) {
    await Deno.remove(path + suffix).catch(() => {});
  }
  await filled(all.length);
  assert.deepEqual(await paths(), all);
});
