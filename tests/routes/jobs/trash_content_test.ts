import assert from "node:assert/strict";
import { join } from "node:path";
import { deny } from "../../support/data/rules.ts";
import { plantMany } from "../../support/disks/files.ts";
import { startApp } from "../../support/server/app.ts";
import { assertRefused, assertStatus } from "../../support/server/refused.ts";

const app = await startApp({
  tree: {
    home: { "a.txt": "first", "page.html": "<script>1</script>", docs: { deep: { "b.txt": "B" } } },
    denied: { "d.txt": "D" },
  },
});
Deno.test.afterAll(app.close);

const admin = await app.tokenOf("admin");
const { token: anna } = await app.addUser("anna", { scope: "/home" });

async function remove(token: string, path: string): Promise<string> {
  const answer = await app.call("DELETE", `/api/resources${path}?trash=true`, { token });
  await assertStatus(answer, 200, path);
  return answer.headers.get("content-location") ?? "";
}

const read = (place: string, token = anna, headers = {}) =>
  app.call("GET", place, { token, headers });

Deno.test("the trash gives out no file of another, no folder, and none without the right", async () => {
  await Deno.writeTextFile(join(app.root, "home/r.txt"), "R");
  const place = await remove(anna, "/r.txt");
  await assertRefused(await app.call("GET", place), 401, "not_signed_in");
  await assertRefused(await read(place, admin), 404, "not_found");
  await assertRefused(await read("/api/trash/none"), 404, "not_found");
  await assertRefused(await read("/api/trash/..%2f..%2fhome%2fa.txt"), 404, "not_found");
  await assertRefused(await read(place, anna, { "sec-fetch-dest": "script" }), 403, "forbidden");
  await assertStatus(await app.call("DELETE", place, { token: anna }), 200);
  await assertRefused(await read(place), 404, "not_found");

  await assertRefused(await read(await remove(anna, "/docs")), 409, "is_folder");
  await Deno.symlink("a.txt", join(app.root, "home/link"));
  await assertRefused(await read(await remove(anna, "/link")), 403, "not_a_file");

  const { token } = await app.addUser("unable", { perm: { download: false } });
  await Deno.writeTextFile(join(app.root, "u.txt"), "U");
  await assertRefused(await read(await remove(token, "/u.txt"), token), 403, "forbidden");
});

Deno.test("what is denied or outside the scope by now can't be read in the trash either", async () => {
  const { user, token } = await app.addUser("moving");
  const place = await remove(token, "/denied/d.txt");
  await app.cubby.users.update(user.id, { rules: [deny("/denied")] });
  await assertRefused(await read(place, await app.tokenOf("moving")), 403, "forbidden");
  await app.cubby.users.update(user.id, { rules: [], scope: "/home" });
  await assertRefused(await read(place, await app.tokenOf("moving")), 404, "not_found");
  await app.cubby.users.update(user.id, { scope: "/" });
  assert.equal(await (await read(place, await app.tokenOf("moving"))).text(), "D");
});

Deno.test("another file in place of a deleted one is not given out", async () => {
  await Deno.writeTextFile(join(app.root, "home/t.txt"), "t");
  const place = await remove(anna, "/t.txt");
  const folder = join(app.root, ".cubby-trash", place.split("/").at(-1) ?? "");
  await Deno.rename(join(folder, "t.txt"), join(folder, "kept"));
  await assertRefused(await read(place), 404, "not_found");
  await Deno.symlink("../../home/a.txt", join(folder, "t.txt"));
  await assertRefused(await read(place), 404, "not_found");
  await Deno.remove(join(folder, "t.txt"));
  await Deno.writeTextFile(join(folder, "t.txt"), "another");
  await assertRefused(await read(place), 404, "not_found");
});

Deno.test("a deleted file is sent as downloads are: whole, in part, by HEAD, and as no page", async () => {
  const place = await remove(anna, "/page.html");
  for (const [query, how] of [["", "attachment"], ["?inline=true", "inline"]] as const) {
    const answer = await read(place + query);
    assert.equal(answer.status, 200);
    assert.equal(await answer.text(), "<script>1</script>");
    assert.match(answer.headers.get("content-disposition") ?? "", new RegExp(`^${how}; .*page`));
    assert.match(answer.headers.get("content-security-policy") ?? "", /^sandbox/);
    assert.equal(answer.headers.get("x-content-type-options"), "nosniff");
  }
  const part = await read(place, anna, { range: "bytes=1-6" });
  assert.equal(part.status, 206);
  assert.equal((await part.text()).slice(0, 6), "script");
  const head = await app.call("HEAD", place, { token: anna });
  assert.equal(head.headers.get("content-length"), "18");
  assert.equal(await head.text(), "");
  const same = await read(place, anna, { "if-none-match": head.headers.get("etag") });
  assert.equal(same.status, 304);
});

Deno.test("a previous version is read while the file has other content", async () => {
  await assertStatus(
    await app.call("PUT", "/api/resources/a.txt", { token: anna, body: "second" }),
    200,
  );
  const { items: [version] } = await (await read("/api/trash?versions=/a.txt")).json();
  assert.equal(await (await read(`/api/trash/${version.id}`)).text(), "first");
  assert.equal(Deno.readTextFileSync(join(app.root, "home/a.txt")), "second");
});

Deno.test("how full the trash is, only administrators learn", async () => {
  await assertRefused(await app.call("GET", "/api/trash/usage"), 401, "not_signed_in");
  await assertRefused(await read("/api/trash/usage"), 403, "forbidden");
});

interface Usage {
  users: { id: number; name: string | null; entries: number; bytes: number }[];
  isPartial: boolean;
}

const usage = async (of = app, token = admin): Promise<Usage> =>
  await (await of.call("GET", "/api/trash/usage", { token })).json();

Deno.test("folders count with all that is in them, and the list shows their size from then on", async () => {
  const { token, user: { id } } = await app.addUser("berta", { scope: "/home" });
  const before = await usage();
  assert.ok(!before.users.some(({ name }) => name === "berta"));
  await Deno.mkdir(join(app.root, "home/sized/in/deep"), { recursive: true });
  await Deno.writeTextFile(join(app.root, "home/sized/a"), "a".repeat(1000));
  await Deno.writeTextFile(join(app.root, "home/sized/in/deep/b"), "b".repeat(234));
  await Deno.symlink("/", join(app.root, "home/sized/in/root"));
  await Deno.mkdir(join(app.root, "home/hollow"));
  await Deno.writeTextFile(join(app.root, "home/six.txt"), "second");
  await remove(token, "/sized");
  await remove(token, "/hollow");
  await remove(token, "/six.txt");
  const sizes = async () => {
    const { items } = await (await read("/api/trash", token)).json();
    return items.map(({ name, size }: { name: string; size: number }) => [name, size]);
  };
  assert.deepEqual(await sizes(), [["six.txt", 6], ["hollow", 0], ["sized", 0]]);
  const { users, isPartial } = await usage();
  assert.equal(isPartial, false);
  const bertas = users.filter(({ name }) => name === "berta");
  assert.deepEqual(bertas, [{ id, name: "berta", entries: 3, bytes: 1240 }]);
  assert.deepEqual(await sizes(), [["six.txt", 6], ["hollow", 0], ["sized", 1234]]);
});

Deno.test("each folder is measured once, also when many ask at once", async () => {
  Deno.mkdirSync(join(app.root, "home/many"));
  plantMany(join(app.root, "home/many"), 5_000);
  const place = await remove(anna, "/many");
  const answers = await Promise.all(Array.from({ length: 8 }, () => usage()));
  for (const answer of answers) assert.deepEqual(answer, answers[0]);
  const held = join(app.root, ".cubby-trash", place.split("/").at(-1) ?? "", "many");
  await Deno.writeTextFile(join(held, "added"), "not counted any more");
  assert.deepEqual(await usage(), answers[0]);
});

Deno.test("an answer does not wait for the measuring, which goes on without it", async () => {
  Deno.mkdirSync(join(app.root, "home/more"));
  plantMany(join(app.root, "home/more"), 20_000);
  await remove(anna, "/more");
  const early = await app.cubby.trash.meter.usage(0);
  assert.equal(early.isPartial, true);
  assert.equal((await usage()).isPartial, false);
});

Deno.test("what is not there is left out, and a deleted user has no name", async () => {
  // What is lost makes the sum of all partial.
  await using own = await startApp({ tree: { lost: {} } });
  const { user, token } = await own.addUser("leaving");
  const gone = await own.call("DELETE", "/api/resources/lost?trash=true", { token });
  await assertStatus(gone, 200);
  const id = gone.headers.get("content-location")?.split("/").at(-1) ?? "";
  await Deno.remove(join(own.root, ".cubby-trash", id), { recursive: true });
  await own.cubby.users.remove(user.id);
  const { users, isPartial } = await usage(own, await own.tokenOf("admin"));
  assert.deepEqual(users.find((one) => one.id === user.id), {
    id: user.id,
    name: null,
    entries: 1,
    bytes: 0,
  });
  assert.equal(isPartial, true);
});
