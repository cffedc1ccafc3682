/**
 * Folders with pipes and sockets: of a PATCH headers name what is not copied, and of an archive a file
 * in it names what is not there.
 */
import assert from "node:assert/strict";
import { join } from "node:path";
import { deny } from "../../support/data/rules.ts";
import { plant, temporaryFolder, type Tree } from "../../support/disks/files.ts";
import { mount } from "../../support/disks/small_disk.ts";
import { unpack } from "../../support/disks/unpack.ts";
import { startApp } from "../../support/server/app.ts";
import { assertRefused, assertStatus } from "../../support/server/refused.ts";

const strange = "#%?日本 `.txt";
const app = await startApp({
  tree: {
    odd: { [strange]: "s", deep: { b: "b" } },
    moved: { odd: { [strange]: "s", deep: { b: "b" } } },
    plain: { c: "c" },
  },
});
Deno.test.afterAll(async () => {
  for (const listener of listeners) listener.close();
  await app.close();
});
const token = await app.tokenOf("admin");
const at = (path: string) => join(app.root, path);

const pipe = `pipe, "${strange}"`;
const pipes = ["odd", "moved/odd"].map((folder) => at(`${folder}/${pipe}`));
await new Deno.Command("mkfifo", { args: pipes }).output();
const listeners = ["odd", "moved/odd"].map((folder) =>
  Deno.listen({ transport: "unix", path: at(`${folder}/deep/socket`) })
);
const ignore = Deno.build.os === "windows";

function patch(path: string, query: string, headers = {}): Promise<Response> {
  return app.call("PATCH", `/api/resources${path}?${query}`, { token, headers });
}

/** Makes a folder with all that is in it, and pipes. */
async function makeTree(path: string, tree: Tree, ...pipes: string[]): Promise<void> {
  await Deno.mkdir(at(path));
  await plant(at(path), tree);
  if (pipes.length > 0) await new Deno.Command("mkfifo", { args: pipes.map(at) }).output();
}

function namesIn(path: string): string[] {
  return [...Deno.readDirSync(at(path))].map(({ name }) => name).sort();
}

/** The header is a list of strings (RFC 9651), each percent-encoded. */
async function assertNamed(answer: Response, folder = "/odd"): Promise<void> {
  await assertStatus(answer, 200);
  assert.match(answer.headers.get("content-location") ?? "", /^\/api\/resources\//);
  const paths = (answer.headers.get("left-out") ?? "").split(", ")
    .map((one) => decodeURIComponent(JSON.parse(one)));
  assert.deepEqual(paths.sort(), [`${folder}/deep/socket`, `${folder}/${pipe}`]);
  assert.equal(answer.headers.get("left-out-count"), "2");
}

function assertRest(path: string): void {
  assert.deepEqual([namesIn(path), namesIn(`${path}/deep`)], [[strange, "deep"], ["b"]]);
}

Deno.test({
  name: "a copy of a pipe itself is refused, and nothing is named where nothing was left out",
  ignore,
  async fn() {
    const alone = encodeURIComponent(pipe);
    const refused = await patch(`/odd/${alone}`, "action=copy&destination=/alone");
    await assertRefused(refused, 403, "not_a_file");
    for (const headers of [{}, { prefer: "respond-async, wait=60" }]) {
      const answer = await patch("/plain", "action=copy&destination=/twin&rename=true", headers);
      await assertStatus(answer, 200);
      const named = [answer.headers.get("left-out"), answer.headers.get("left-out-count")];
      assert.deepEqual(named, [null, null]);
    }
  },
});

Deno.test({
  name: "a copy names the pipes and sockets that it leaves out, also by a job of its own",
  ignore,
  async fn() {
    await assertNamed(await patch("/odd", "action=copy&destination=/third"));
    assertRest("third");
    const headers = { prefer: "respond-async, wait=60" };
    await assertNamed(await patch("/odd", "action=copy&destination=/fourth", headers));
    assertRest("fourth");
  },
});

/** The files of an archive, with their texts. */
async function downloaded(path: string): Promise<Record<string, string>> {
  const kind = path.includes("algo=tar") ? "tar" : "zip";
  const answer = await app.call("GET", `/api/raw${path}`, { token });
  assert.equal(answer.status, 200);
  await using into = await temporaryFolder();
  await unpack(kind, await answer.bytes(), into.path);
  return textsIn(into.path);
}

function textsIn(folder: string, prefix = ""): Record<string, string> {
  return Object.assign(
    {},
    ...[...Deno.readDirSync(folder)].map(({ name, isDirectory }) =>
      isDirectory
        ? textsIn(join(folder, name), `${prefix}${name}/`)
        : { [prefix + name]: Deno.readTextFileSync(join(folder, name)) }
    ),
  );
}

const noted = (...paths: string[]) =>
  `Not in this archive, as pipes, sockets and devices have no content to keep:\n\n${
    paths.map((path) => `${path}\n`).join("")
  }`;

for (const query of ["", "compress=true&", "algo=tar&"]) {
  Deno.test({
    name: `an archive (${query || "stored zip"}) has a file that names the pipes it leaves out`,
    ignore,
    async fn() {
      const rest = { [strange]: "s", "deep/b": "b" };
      const whole = await downloaded(`/odd/?${query}`);
      assert.deepEqual(whole, { ...rest, "left-out.txt": noted(pipe, "deep/socket") });
      const files = [strange, pipe].map((name) => encodeURIComponent(encodeURIComponent(name)));
      const chosen = await downloaded(`/odd/?${query}files=${files}`);
      assert.deepEqual(chosen, { [strange]: "s", "left-out.txt": noted(pipe) });
      assert.deepEqual(await downloaded(`/plain/?${query}`), { c: "c" });
      const alone = await app.call("GET", `/api/raw/odd/?${query}files=${files[1]}`, { token });
      await assertRefused(alone, 403, "not_a_file");
    },
  });
}

Deno.test({
  name: "a zip with such a file can be resumed, and the file takes no name of another",
  ignore,
  async fn() {
    await makeTree("named", { "left-out.txt": "own", "Left-Out(1).TXT": "own, too" }, "named/pipe");
    const names = await downloaded("/named/");
    assert.deepEqual(names["left-out.txt"], "own");
    assert.deepEqual(names["left-out(2).txt"], noted("pipe"));
    const bytes = await (await app.call("GET", "/api/raw/named/", { token })).bytes();
    const head = await app.call("HEAD", "/api/raw/named/", { token });
    assert.equal(head.headers.get("content-length"), String(bytes.length));
    const headers = { range: "bytes=100-", "if-range": head.headers.get("etag") ?? "" };
    const rest = await app.call("GET", "/api/raw/named/", { token, headers });
    assert.equal(rest.status, 206);
    assert.deepEqual(await rest.bytes(), bytes.subarray(100));
    await new Deno.Command("mkfifo", { args: [at("named/pip2")] }).output();
    const later = await app.call("HEAD", "/api/raw/named/", { token });
    assert.notEqual(later.headers.get("etag"), head.headers.get("etag"));
  },
});

Deno.test({
  name: "of many the headers name the first and give the number of all",
  ignore,
  async fn() {
    const names = Array.from({ length: 30 }, (_, index) => "日".repeat(80) + index);
    Deno.mkdirSync(at("many"));
    const args = names.map((name) => at(`many/${name}`));
    await new Deno.Command("mkfifo", { args }).output();
    const answer = await patch("/many", "action=copy&destination=/few");
    await assertStatus(answer, 200);
    assert.equal(answer.headers.get("left-out-count"), "30");
    const text = answer.headers.get("left-out") ?? "";
    assert.ok(text.length > 0 && text.length <= 4_000, `${text.length}`);
  },
});

Deno.test({
  name: "a merging move takes no name that a rule denies, and then moves nothing",
  ignore,
  async fn() {
    await makeTree("guarded", { b: "b", deep: {} }, "guarded/deep/pipe");
    await makeTree("vault", { deep: {} });
    const ruled = await app.addUser("ruled", { rules: [deny("/vault/deep/pipe")] });
    const query = "action=rename&destination=/vault&override=true";
    const answer = await app.call("PATCH", `/api/resources/guarded?${query}`, ruled);
    await assertRefused(answer, 403, "forbidden");
    assert.deepEqual([namesIn("guarded"), namesIn("guarded/deep")], [["b", "deep"], ["pipe"]]);
    assert.deepEqual([namesIn("vault"), namesIn("vault/deep")], [["deep"], []]);
  },
});

Deno.test({
  name: "a move that merges on one disk moves pipes and sockets as well",
  ignore,
  async fn() {
    await makeTree("mixed", { a: "new", deep: { b: "b" }, fresh: { c: "c" } }, ...[
      ...[`mixed/${pipe}`, "mixed/deep/pipe", "mixed/fresh/pipe"],
    ]);
    await makeTree("merged", { a: "old", deep: { own: "o" } });
    const answer = await patch("/mixed", "action=rename&destination=/merged&override=true");
    await assertStatus(answer, 200);
    assert.equal(answer.headers.get("left-out-count"), null);
    assert.ok(!namesIn("").includes("mixed"));
    assert.deepEqual(namesIn("merged"), ["a", "deep", "fresh", pipe].sort());
    assert.deepEqual(namesIn("merged/deep"), ["b", "own", "pipe"]);
    assert.deepEqual(namesIn("merged/fresh"), ["c", "pipe"]);
    assert.equal(Deno.readTextFileSync(at("merged/a")), "new");
    for (const path of [pipe, "deep/pipe", "fresh/pipe"]) {
      assert.ok(Deno.lstatSync(at(`merged/${path}`)).isFifo, path);
    }
  },
});

Deno.test({
  name: "of a move that merges, pipes whose names are taken stay and are named",
  ignore,
  async fn() {
    await makeTree("late", { a: "a", deep: { b: "b" } }, "late/deep/taken", "late/deep/free");
    await makeTree("early", { deep: { taken: "kept" } });
    const answer = await patch("/late", "action=rename&destination=/early&override=true");
    await assertStatus(answer, 200);
    assert.equal(answer.headers.get("left-out-count"), "1");
    assert.equal(answer.headers.get("left-out"), '"/late/deep/taken"');
    assert.deepEqual([namesIn("late"), namesIn("late/deep")], [["deep"], ["taken"]]);
    assert.deepEqual([namesIn("early"), namesIn("early/deep")], [["a", "deep"], [
      ...["b", "free", "taken"],
    ]]);
    assert.equal(Deno.readTextFileSync(at("early/deep/taken")), "kept");
  },
});

Deno.test({
  name: "a move to another disk succeeds, and names what stays",
  ignore: ignore || Deno.uid() !== 0,
  async fn() {
    Deno.mkdirSync(at("disk"));
    await mount("-t", "tmpfs", "-o", "size=4m", "cubby-test", at("disk"));
    try {
      const answer = await patch("/moved/odd", "action=rename&destination=/disk/odd");
      await assertNamed(answer, "/moved/odd");
      assertRest("disk/odd");
      assert.deepEqual(namesIn("moved/odd"), ["deep", pipe]);
      assert.deepEqual(namesIn("moved/odd/deep"), ["socket"]);
    } finally {
      await new Deno.Command("umount", { args: [at("disk")] }).output();
    }
  },
});
