import assert from "node:assert/strict";
import { join } from "node:path";
import type { FolderSize } from "../../../lib/shared/schemas/size.ts";
import { startApp } from "../../support/server/app.ts";
import { assertRefused } from "../../support/server/refused.ts";
import { deny } from "../../support/data/rules.ts";

const odd = "#%?日本 `.txt";
const app = await startApp({
  tree: {
    "a.txt": "12345",
    photos: { [odd]: "123", deep: { "b.bin": "1234567", empty: {} }, ".hidden": "12" },
    shut: { "c.txt": "1234" },
  },
});
const { url } = app.listen();
Deno.test.afterAll(app.close);
const token = await app.tokenOf("admin");

async function sizeOf(path: string, body?: object, as = token): Promise<FolderSize> {
  const options = { token: as, body: body && JSON.stringify(body) };
  const answer = await app.call(body ? "POST" : "GET", `/api/size${path}`, options);
  assert.equal(answer.status, 200, path);
  return await answer.json();
}

const whole = (bytes: number, files: number, folders: number): FolderSize => {
  return { bytes, files, folders, unreadable: 0, isPartial: false };
};

Deno.test("size refuses files, what is not there or denied, and bodies that choose nothing", async () => {
  for (const path of ["/none", "/a.txt", "/photos/none"]) {
    const answer = await app.call("GET", `/api/size${path}`, { token });
    await assertRefused(answer, 404, "not_found", path);
  }
  const { token: denied } = await app.addUser("ivy", { rules: [deny("/shut")] });
  const answer = await app.call("GET", "/api/size/shut", { token: denied });
  await assertRefused(answer, 403, "forbidden");
  for (const body of ['{"names":[]}', '{"names":"a"}', '{"names":[1]}', "{}"]) {
    const answer = await app.call("POST", "/api/size/", { token, body });
    await assertRefused(answer, 400, "invalid_body", body);
  }
});

Deno.test("size adds up everything below a folder, with and without a slash", async () => {
  for (const path of ["/photos", "/photos/", "//photos//"]) {
    assert.deepEqual(await sizeOf(path), whole(12, 3, 2), path);
  }
  assert.deepEqual(await sizeOf("/"), whole(21, 5, 4));
  assert.deepEqual(await sizeOf("/photos/deep/empty"), whole(0, 0, 0));
});

Deno.test("size counts for each user what that user may see", async () => {
  const rules = [deny("/shut"), deny("/photos/deep/b.bin")];
  const { token: some } = await app.addUser("jo", { rules, hideDotfiles: true });
  const { token: scoped } = await app.addUser("kim", { scope: "/photos/deep" });
  // Twice, as the second answer comes of what was kept of the first.
  for (const turn of [1, 2]) {
    assert.deepEqual(await sizeOf("/", undefined, some), whole(8, 2, 3), `${turn}`);
    assert.deepEqual(await sizeOf("/", undefined, scoped), whole(7, 1, 1), `${turn}`);
    assert.deepEqual(await sizeOf("/"), whole(21, 5, 4), `${turn}`);
  }
  const chosen = { names: ["shut", "a.txt", "photos"] };
  assert.deepEqual(await sizeOf("/", chosen, some), { ...whole(8, 2, 3), unreadable: 1 });
});

Deno.test("size counts chosen entries once, whichever way they are named", async () => {
  const names = [`photos/${odd}`, "photos", "photos/deep", "a.txt", "a.txt", "none"];
  assert.deepEqual(await sizeOf("/", { names }), { ...whole(17, 4, 3), unreadable: 1 });
  const deep = { names: ["photos/deep/b.bin", "photos/deep/empty"] };
  assert.deepEqual(await sizeOf("/", deep), whole(7, 1, 1));
});

Deno.test("size counts a linked file as the file, and enters no linked folder", async () => {
  const links = join(app.root, "links");
  Deno.mkdirSync(links);
  Deno.symlinkSync("../a.txt", join(links, "file"));
  Deno.symlinkSync("../photos", join(links, "folder"));
  Deno.symlinkSync("none", join(links, "broken"));
  Deno.symlinkSync("/", join(links, "out"));
  assert.deepEqual(await sizeOf("/links"), whole(5, 3, 1));
  Deno.writeTextFileSync(join(app.root, "a.txt"), "123456789");
  assert.deepEqual(await sizeOf("/links"), whole(9, 3, 1), "the target has grown");
  Deno.writeTextFileSync(join(app.root, "a.txt"), "12345");
  Deno.removeSync(links, { recursive: true });
});

Deno.test("size notices at once what is made, removed and moved, though it keeps sizes", async () => {
  const old = (path: string) => Deno.utimeSync(join(app.root, path), 1_700_000_000, 1_700_000_000);
  Deno.mkdirSync(join(app.root, "kept/below"), { recursive: true });
  Deno.writeTextFileSync(join(app.root, "kept/below/one"), "1");
  old("kept/below");
  assert.deepEqual(await sizeOf("/kept"), whole(1, 1, 1));
  const made = await app.call("POST", "/api/resources/kept/below/two", { token, body: "22" });
  assert.equal(made.status, 200);
  assert.deepEqual(await sizeOf("/kept"), whole(3, 2, 1));
  const to = "/api/resources/kept/below?action=rename&destination=%2Fkept%2Fother";
  assert.equal((await app.call("PATCH", to, { token })).status, 200);
  assert.deepEqual(await sizeOf("/kept"), whole(3, 2, 1));
  await app.call("DELETE", "/api/resources/kept/other/one?trash=false", { token });
  assert.deepEqual(await sizeOf("/kept"), whole(2, 1, 1));
  Deno.removeSync(join(app.root, "kept"), { recursive: true });
});

Deno.test("size answers those who read lines with the totals on the way, and ends with its client", async () => {
  const many = join(app.root, "many");
  for (let folder = 0; folder < 300; folder++) {
    const path = join(many, String(folder));
    Deno.mkdirSync(path, { recursive: true });
    for (let file = 0; file < 100; file++) Deno.writeTextFileSync(join(path, String(file)), "12");
  }
  const ask = () =>
    fetch(`${url}/api/size/many`, {
      headers: { accept: "application/x-ndjson", "x-auth": token },
    });
  const answer = await ask();
  assert.equal(answer.headers.get("content-type"), "application/x-ndjson; charset=utf-8");
  const lines: FolderSize[] = (await answer.text()).trim().split("\n").map((line) =>
    JSON.parse(line)
  );
  assert.deepEqual(lines.at(-1), whole(60_000, 30_000, 300));
  for (const line of lines.slice(0, -1)) assert.equal(line.isPartial, true);

  const left = await ask();
  await left.body?.cancel();
  assert.deepEqual(await sizeOf("/many/7"), whole(200, 100, 0));
  Deno.removeSync(many, { recursive: true });
});

Deno.test("HEAD of size tells whether it could be measured", async () => {
  const head = (path: string) => app.call("HEAD", `/api/size${path}`, { token });
  assert.equal((await head("/photos")).status, 200);
  assert.equal((await head("/none")).status, 404);
});
