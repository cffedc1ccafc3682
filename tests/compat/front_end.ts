/** The calls of File Browser 2.63's own front end, in the form in which it sends them. */
import assert from "node:assert/strict";
import { join } from "node:path";
import { type Client, type Recorded, replay, type Scenario, signIn } from "./scene.ts";

/** Names that show whether each side encodes and decodes as often as the other. */
const hardNames = ["100%", "a%20b", "#%?日 `.txt", "%2e%2e", "c+d&e=f", "back\\slash"];

/** A path as the front end encodes it: each segment once. */
function encoded(path: string): string {
  return path.split("/").map(encodeURIComponent).join("/");
}

/** How it copies and renames: the encoded path is encoded once more for the query. */
function transfer(action: string, from: string, to: string, more = ""): Recorded {
  const destination = encodeURIComponent(encoded(to));
  const query = `action=${action}&destination=${destination}&override=false&rename=false${more}`;
  return { sends: `PATCH /api/resources${encoded(from)}?${query}`, gives: 200 };
}

const remove = (path: string): Recorded => ({
  sends: `DELETE /api/resources${path}`,
  gives: { "spec": 200, "2.63": 204 },
});

const files: Scenario = {
  name: "the front end's files",
  tree: { front: { "a.txt": "a", "b.txt": "bee", deep: { "c.md": "# c" } } },
  async run(scene) {
    const client = await signIn(scene);
    const { root } = scene.server;
    const text = (path: string) => Deno.readTextFileSync(join(root, path));
    await replay(client, [
      {
        sends: "GET /api/resources/front/",
        gives: 200,
        async reads(answer) {
          const { items, isDir } = await answer.json();
          assert.ok(isDir);
          assert.deepEqual(items.map(({ name }: { name: string }) => name), [
            "deep",
            "a.txt",
            "b.txt",
          ]);
        },
      },
      // It selects the folder it comes from: the one whose path is that of the listing and a name.
      ...["/", "/front/", "/front/deep/"].map((path): Recorded => ({
        sends: `GET /api/resources${path}`,
        gives: 200,
        async reads(answer) {
          const told = (await answer.json()).path;
          assert.equal(told, scene.compat === "2.63" || path === "/" ? path : path.slice(0, -1));
        },
      })),
      {
        sends: "GET /api/resources/front/a.txt",
        headers: { "x-encoding": "true" },
        gives: 200,
        // Bytes of this very type are decoded by the choice of the user, all else is read as JSON.
        async reads(answer) {
          const isBytes = answer.headers.get("content-type") === "application/octet-stream";
          assert.equal(isBytes, scene.compat === "2.63");
          assert.equal(isBytes ? await answer.text() : (await answer.json()).content, "a");
        },
      },
      {
        sends: "GET /api/resources/front/b.txt?checksum=md5",
        gives: 200,
        async reads(answer) {
          const { checksums } = await answer.json();
          assert.equal(checksums.md5, "9dfd70fdf15a3cb1ea00d7799ac6651b");
        },
      },
      {
        sends: "GET /api/resources/recursive/front",
        gives: 200,
        async reads(answer) {
          const entries: { path: string }[] = await answer.json();
          assert.deepEqual(entries.map(({ path }) => path).sort(), [
            "/front/a.txt",
            "/front/b.txt",
            "/front/deep",
            "/front/deep/c.md",
          ]);
        },
      },
      { sends: "POST /api/resources/front/new/?override=false", gives: 200 },
      { sends: "POST /api/resources/front/up.txt?override=false", body: "up", gives: 200 },
      { sends: "POST /api/resources/front/up.txt?override=false", body: "again", gives: 409 },
      { sends: "POST /api/resources/front/up.txt?override=true", body: "again", gives: 200 },
      { sends: "PUT /api/resources/front/up.txt", body: "saved", gives: 200 },
      { sends: "PUT /api/resources/front/none.txt", body: "saved", gives: 404 },
      { sends: "PUT /api/resources/front/up.txt/", body: "saved", gives: 400 },
      remove("/front/new/"),
      { sends: "DELETE /api/resources/front/none", gives: 404 },
      { sends: "DELETE /api/resources/", gives: 403 },
    ]);
    assert.equal(text("front/up.txt"), "saved");

    for (const name of hardNames) {
      const path = `/front/${name}`;
      await replay(client, [
        { sends: `POST /api/resources${encoded(path)}?override=false`, body: name, gives: 200 },
        transfer("copy", path, `/front/deep/${name}`),
        transfer("rename", path, `/front/deep/${name}.moved`),
        { ...transfer("copy", `/front/deep/${name}`, `/front/deep/${name}`), gives: 400 },
      ]);
      assert.equal(text(`front/deep/${name}`) + text(`front/deep/${name}.moved`), name + name);
      await replay(client, [remove(encoded(`/front/deep/${name}`))]);
    }
    await replay(client, [
      {
        sends: "PATCH /api/resources/front/a.txt?action=copy&" +
          "destination=%2Ffront%2Fb.txt&override=false&rename=true",
        gives: 200,
      },
      transfer("rename", "/front/deep", "/front/v w/a"),
    ]);
    assert.equal(text("front/b(1).txt"), "a");
    assert.equal(text("front/v w/a/c.md"), "# c");
  },
};

/** Reads a search as the front end of 2.63 does: whole lines are objects, empty ones no news. */
async function readLines(answer: Response): Promise<{ path: string; dir: boolean }[]> {
  const lines = (await answer.text()).split("\n");
  assert.equal(lines.pop(), "", "what follows the last line feed is never read");
  return lines.filter((line) => line !== "").map((line) => JSON.parse(line));
}

const finding: Scenario = {
  name: "the front end's search, usage, downloads and previews",
  tree: { find: { "sea, blue.txt": "1", "sky.txt": "22", sea: { "deep.txt": "" } } },
  async run(scene) {
    const client = await signIn(scene);
    const auth = `auth=${client.token}`;
    await replay(client, [
      {
        sends: "GET /api/search/find/?query=sea",
        gives: 200,
        async reads(answer) {
          const found = scene.compat === "2.63" ? await readLines(answer) : await answer.json();
          const folders = found.filter(({ dir }: { dir: boolean }) => dir);
          assert.deepEqual(folders, [{ path: "sea", dir: true }]);
          assert.equal(found.length, 2);
        },
      },
      {
        sends: "GET /api/search/find/?query=nothing-like-this",
        gives: 200,
        async reads(answer) {
          assert.equal(await answer.text(), scene.compat === "2.63" ? "" : "[]");
        },
      },
      {
        sends: "GET /api/search/find/?query=sky",
        headers: { accept: "application/x-ndjson" },
        gives: 200,
        reads: async (answer) => assert.equal((await readLines(answer)).length, 1),
      },
      { sends: "GET /api/search/find/?query=", gives: 400 },
      {
        sends: "GET /api/usage/find/",
        gives: 200,
        async reads(answer) {
          const { total, used } = await answer.json();
          assert.ok(total >= used && used > 0);
        },
      },
      { sends: "GET /api/usage/find/sky.txt", gives: 200 },
      {
        sends: "GET /api/raw/find/sky.txt?inline=true",
        gives: 200,
        reads: async (answer) => assert.equal(await answer.text(), "22"),
      },
      {
        sends: "GET /api/raw/find/?files=sea%252C%2520blue.txt%2Csky.txt&algo=zip",
        gives: 200,
        reads: async (answer) =>
          assert.equal(new TextDecoder().decode((await answer.bytes()).subarray(0, 2)), "PK"),
      },
      { sends: "GET /api/raw/find/?files=none.txt&algo=zip", gives: 404 },
      { sends: "GET /api/preview/thumb/find/sky.txt?inline=true&key=1", gives: 501 },
      { sends: "GET /api/subtitle/find/sky.txt?inline=true", gives: 501 },
      // A browser opens downloads with the cookie; a session token is not taken from an address.
      {
        sends: `GET /api/raw/find/sky.txt`,
        anonymous: true,
        headers: { cookie: auth },
        gives: 200,
      },
      { sends: `GET /api/raw/find/sky.txt?${auth}`, anonymous: true, gives: 401 },
      { sends: "GET /api/command/find/", gives: 403 },
    ]);
  },
};

const sharing: Scenario = {
  name: "the front end's shares",
  tree: { shared: { "one.txt": "one", more: { "two.txt": "two" } } },
  async run(scene) {
    const client = await signIn(scene);
    const keepHash = async (answer: Response, { known }: Client) => {
      known.set("hash", (await answer.json()).hash);
    };
    const secret = { "x-share-password": encodeURIComponent("open sesame 12%") };
    await replay(client, [
      { sends: "POST /api/share/shared/one.txt", body: "{}", gives: 200, reads: keepHash },
      {
        sends: "GET /api/public/share/{hash}",
        anonymous: true,
        gives: 200,
        reads: async (answer) => assert.equal((await answer.json()).name, "one.txt"),
      },
      ...["", "/one.txt", "/any%20other%20name.bin"].map((end): Recorded => ({
        sends: `GET /api/public/dl/{hash}${end}?inline=true`,
        anonymous: true,
        gives: 200,
        reads: async (answer) => assert.equal(await answer.text(), "one"),
      })),
      { sends: "GET /api/public/dl/{hash}/a/b", anonymous: true, gives: 200 },
      {
        sends: "POST /api/share/shared/more/?expires=2&unit=days",
        body: JSON.stringify({ password: "open sesame 12%", expires: "2", unit: "days" }),
        gives: 200,
        reads: keepHash,
      },
      { sends: "GET /api/public/share/{hash}/", anonymous: true, gives: 401 },
      {
        sends: "GET /api/public/share/{hash}/",
        anonymous: true,
        headers: secret,
        gives: 200,
        async reads(answer, { known }) {
          const { items, token } = await answer.json();
          assert.equal(items[0].name, "two.txt");
          known.set("token", token);
        },
      },
      {
        sends: "GET /api/public/dl/{hash}/two.txt?token={token}",
        anonymous: true,
        gives: 200,
        reads: async (answer) => assert.equal(await answer.text(), "two"),
      },
      { sends: "GET /api/public/dl/{hash}/none.txt?token={token}", anonymous: true, gives: 404 },
      {
        sends: "GET /api/share/shared/more/",
        gives: 200,
        reads: async (answer) => assert.equal((await answer.json()).length, 1),
      },
      {
        sends: "GET /api/shares",
        gives: 200,
        reads: async (answer) => assert.equal((await answer.json()).length, 2),
      },
      { sends: "DELETE /api/share/{hash}", gives: 200 },
      { sends: "GET /api/public/share/{hash}", anonymous: true, gives: 404 },
    ]);
  },
};

/** All that the front end does with files. */
export const frontEnd: readonly Scenario[] = [files, finding, sharing];
