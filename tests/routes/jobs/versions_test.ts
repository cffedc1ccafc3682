import assert from "node:assert/strict";
import { join } from "node:path";
import { assertRefused, assertStatus } from "../../support/server/refused.ts";
import { admin, app, list, newHome, remove, restore } from "./trash_home.ts";

const versionsOf = async (token: string, path: string) =>
  (await list(token, `?versions=${encodeURIComponent(path)}`)).items as {
    id: string;
    size: number;
  }[];

Deno.test("a file that is replaced, by any call, is kept as a previous version", async () => {
  const { anna, home } = await newHome();
  const file = join(home, "v.txt");
  const send = async (method: string, path: string, body: string) => {
    await assertStatus(await app.call(method, `/api/${path}`, { token: anna, body }), 200, path);
  };
  await send("POST", "resources/v.txt", "1");
  assert.deepEqual(await versionsOf(anna, "/v.txt"), []);
  await send("POST", "resources/v.txt?override=true", "22");
  await send("PUT", "resources/v.txt", "333");
  await send("PUT", "resources/v.txt?encoding=utf-8", "4444");
  const begun = await app.call("POST", "/api/tus/v.txt?override=true", {
    token: anna,
    headers: { "upload-length": "5", "content-type": "application/offset+octet-stream" },
    body: "55555",
  });
  await assertStatus(begun, 201);
  assert.equal(Deno.readTextFileSync(file), "55555");
  assert.deepEqual((await versionsOf(anna, "/v.txt")).map(({ size }) => size), [4, 3, 2, 1]);
  const named = async (query: string) =>
    (await list(anna, query)).items.filter(({ name }: { name: string }) => name === "v.txt").length;
  assert.deepEqual([await named(""), await named("?all=false"), await named("?all=true")], [
    0,
    0,
    4,
  ]);
  assert.deepEqual(
    (await list(anna)).items.filter(({ name }: { name: string }) => name === "v.txt"),
    [],
  );
  assert.equal(Deno.statSync(file).nlink, 1, "no other name leads to it");

  const failed = await app.call("PUT", "/api/resources/v.txt", {
    token: anna,
    body: "6",
    headers: { "if-match": '"another"' },
  });
  await assertRefused(failed, 412, "precondition_failed");
  assert.equal((await versionsOf(anna, "/v.txt")).length, 4);
});

Deno.test("a previous version takes its place again, and what was there is kept in turn", async () => {
  const { anna, home } = await newHome();
  for (const body of ["1", "22", "333", "4444", "55555"]) {
    const path = "/api/resources/v.txt?override=true";
    await assertStatus(await app.call("POST", path, { token: anna, body }), 200);
  }
  const [, third] = await versionsOf(anna, "/v.txt");
  const place = `/api/trash/${third?.id}`;
  await assertRefused(
    await app.call("POST", `${place}?override=true`, { token: admin }),
    404,
    "not_found",
  );
  assert.equal(await restore(anna, `${place}?override=true`), "/api/resources/v.txt");
  assert.equal(Deno.readTextFileSync(join(home, "v.txt")), "333");
  assert.deepEqual((await versionsOf(anna, "/v.txt")).map(({ size }) => size), [5, 4, 2, 1]);
  const [beside] = await versionsOf(anna, "/v.txt");
  assert.equal(await restore(anna, `/api/trash/${beside?.id}`), "/api/resources/v(1).txt");
  assert.equal(Deno.readTextFileSync(join(home, "v(1).txt")), "55555");
});

Deno.test("a link in the trash replaces no file, which stays without a version", async () => {
  const { anna, home } = await newHome();
  await Deno.symlink("a.txt", join(home, "link"));
  const place = await remove(anna, "/link");
  await Deno.writeTextFile(join(home, "link"), "file");
  const refused = await app.call("POST", `${place}?override=true`, { token: anna });
  await assertRefused(refused, 403, "forbidden");
  assert.equal(Deno.lstatSync(join(home, "link")).isFile, true);
  assert.equal(Deno.readTextFileSync(join(home, "link")), "file");
  assert.deepEqual(await versionsOf(anna, "/link"), []);
  assert.equal(await restore(anna, place), "/api/resources/link(1)");
});

Deno.test("no version is kept where the settings say so, nor of an empty file", async () => {
  const { anna, home } = await newHome();
  const settings = await app.cubby.settings.get();
  const save = (body: string) => app.call("PUT", "/api/resources/w.txt", { token: anna, body });
  await Deno.writeTextFile(join(home, "w.txt"), "");
  await assertStatus(await save("1"), 200);
  await app.cubby.settings.update({ ...settings, trash: { ...settings.trash, versions: false } });
  try {
    await assertStatus(await save("2"), 200);
  } finally {
    await app.cubby.settings.update(settings);
  }
  assert.deepEqual(await versionsOf(anna, "/w.txt"), []);
  await assertStatus(await save("3"), 200);
  assert.deepEqual((await versionsOf(anna, "/w.txt")).map(({ size }) => size), [1]);
});

Deno.test("of uploads that race each former file is kept but the last", async () => {
  const { anna, home } = await newHome();
  await Deno.writeTextFile(join(home, "race.txt"), "x".repeat(100));
  const racers = Array.from({ length: 12 }, (_, index) => "y".repeat(index + 1));
  const answers = await Promise.all(
    racers.map((body) =>
      app.call("POST", "/api/resources/race.txt?override=true", { token: anna, body })
    ),
  );
  const done = answers.filter(({ status }) => status === 200).length;
  for (const answer of answers) await answer.body?.cancel();
  const last = Deno.readTextFileSync(join(home, "race.txt")).length;
  const sizes = (await versionsOf(anna, "/race.txt")).map(({ size }) => size);
  assert.equal(new Set([...sizes, last]).size, sizes.length + 1, "none twice");
  assert.equal(sizes.length, done);
  assert.ok(sizes.includes(100));
});

Deno.test("of a file that is not replaced after all no version stays, nor its room on the disk", async () => {
  const { anna, user, home } = await newHome();
  await new Deno.Command("mkfifo", { args: [join(home, "pipe")] }).output();
  const query = "action=copy&destination=/a.txt&override=true";
  const answer = await app.call("PATCH", `/api/resources/pipe?${query}`, { token: anna });
  await assertRefused(answer, 403, "not_a_file");
  assert.deepEqual(await app.cubby.trash.records.list(user.id), []);
  assert.equal(Deno.lstatSync(join(home, "a.txt")).nlink, 1, "the trash has no name of it");
});
