/** Visitors of request links who announce and send nothing, or learn what is there. */
import assert from "node:assert/strict";
import { join } from "node:path";
import { startApp, type TestApp } from "../../support/server/app.ts";
import { assertRefused, assertStatus } from "../../support/server/refused.ts";

const type = "application/offset+octet-stream";
const app = await startApp({ inProcess: true });
Deno.test.afterAll(app.close);
let owners = 0;

const text = (value: string) => new TextEncoder().encode(value).toBase64();

/** An owner with a folder of its own, and a request for it. */
async function asked(limits: object = {}, quota: { bytes?: number; files?: number } = {}) {
  const scope = `/owner ${++owners}`;
  const home = join(app.root, scope);
  await Deno.mkdir(home);
  const { token } = await app.addUser(`owner${owners}`, { scope, quota });
  const answer = await app.call("POST", "/api/request/", { token, json: limits });
  assert.equal(answer.status, 200, await answer.clone().text());
  const { hash } = await answer.json();
  const visit = await app.call("POST", `/api/public/request/${hash}`, { json: {} });
  const { token: visitor } = await visit.json();
  const begin = (name: string, length: number, { from, body }: {
    from?: string;
    body?: string;
  } = {}) =>
    app.call("POST", `/api/public/request/${hash}/files`, {
      headers: {
        "x-request-token": visitor,
        "upload-length": `${length}`,
        "upload-metadata": `filename ${text(name)}`,
        ...body !== undefined && { "content-type": type },
      },
      ...{ body, from },
    });
  const go = (method: string, at: Response, body?: BodyInit, offset = 0) =>
    app.call(method, at.headers.get("location") ?? "", {
      body,
      headers: {
        "x-request-token": visitor,
        ...method === "PATCH" && { "content-type": type, "upload-offset": `${offset}` },
      },
    });
  const own = (name: string, length: number) =>
    app.call("POST", `/api/resources/${name}`, {
      token,
      body: "o".repeat(length),
      headers: { "content-length": `${length}` },
    });
  const end = () => app.call("DELETE", `/api/request/${hash}`, { token });
  const usage = async () => {
    const { quota } = await (await app.call("GET", "/api/usage/", { token })).json();
    return { bytes: quota.usedBytes, files: quota.usedFiles };
  };
  return { home, begin, go, own, end, usage, token };
}

function treeOf(folder: string, below = ""): string[] {
  return [...Deno.readDirSync(join(folder, below))].flatMap(({ name, isDirectory }) =>
    isDirectory ? [`${below}${name}/`, ...treeOf(folder, `${below}${name}/`)] : [below + name]
  ).sort();
}

Deno.test("an announcement of a visitor reserves nothing of the owner's quota", async () => {
  const { begin, go, own, usage } = await asked({}, { bytes: 1_000_000, files: 5 });
  const begun = await begin("large.bin", 990_000);
  await assertStatus(begun, 201);
  assert.deepEqual(await usage(), { bytes: 0, files: 0 });
  await assertStatus(await own("own.bin", 20_000), 200);
  await assertStatus(await go("PATCH", begun, "x".repeat(1000)), 204);
  assert.deepEqual(await usage(), { bytes: 21_000, files: 2 });
  const other = await begin("other.bin", 990_000);
  const over = await go("PATCH", begun, "x".repeat(989_000), 1000);
  for (const answer of [other, over]) {
    const told = await assertRefused(answer, 507, "over_quota");
    assert.match(told, /: the quota of its owner has no room for it$/);
  }
});

Deno.test("a visitor who sends slowly reserves little more than what has come", async () => {
  const { begin, go, own } = await asked({}, { bytes: 1_000_000 });
  const begun = await begin("large.bin", 990_000);
  let controller: ReadableStreamDefaultController<Uint8Array> | undefined;
  const body = new ReadableStream<Uint8Array>({ start: (given) => void (controller = given) });
  controller?.enqueue(new TextEncoder().encode("a"));
  const sent = go("PATCH", begun, body);
  while ((await go("HEAD", begun)).headers.get("upload-offset") !== "1");
  await assertStatus(await own("own.bin", 500_000), 200);
  controller?.close();
  await assertStatus(await sent, 204);
});

Deno.test("the end of a request drops its unfinished uploads and what they have reserved", async () => {
  const { home, begin, go, end, usage } = await asked({}, { bytes: 1_000_000 });
  for (const name of ["a.bin", "b.bin"]) {
    const begun = await begin(name, 400_000);
    await assertStatus(await go("PATCH", begun, "x".repeat(1000)), 204);
  }
  assert.deepEqual(await usage(), { bytes: 2000, files: 2 });
  await assertStatus(await end(), 200);
  assert.deepEqual(await usage(), { bytes: 0, files: 0 });
  assert.deepEqual(treeOf(home), []);
  assert.deepEqual(
    await app.cubby.store.list(["upload_parts"]).then((all) =>
      all.filter(({ value }) => (value as { folder: string }).folder.endsWith(` ${owners}`))
    ),
    [],
  );
});

Deno.test("announcements without a byte keep no other visitor out", async () => {
  for (const limits of [{ maxFiles: 3 }, { maxTotalSize: 100 }]) {
    const { begin } = await asked(limits);
    for (let time = 0; time < 3; time++) {
      await assertStatus(await begin(`${time}.txt`, 100), 201);
    }
    await assertStatus(await begin("real.txt", 50, { body: "x".repeat(50) }), 201);
  }
});

Deno.test("one address gets only a part of the places of a request", async () => {
  const { home, begin } = await asked();
  const statuses: Record<number, number> = {};
  for (let time = 0; time < 200; time++) {
    const { status, body } = await begin(`${time}.txt`, 9, { from: "192.0.2.1" });
    await body?.cancel();
    statuses[status] = (statuses[status] ?? 0) + 1;
  }
  assert.ok((statuses[503] ?? 0) > 100, JSON.stringify(statuses));
  await assertStatus(await begin("other.txt", 9, { from: "192.0.2.2" }), 201);
  assert.ok(treeOf(home).length <= 201 - (statuses[503] ?? 0));
});

Deno.test("when all places are announced, the oldest one yields to a new visitor", async () => {
  const { home, begin } = await asked();
  for (let time = 0; time < 230; time++) {
    const from = `192.0.2.${1 + Math.floor(time / 20)}`;
    await assertStatus(await begin(`${time}.txt`, 9, { from }), 201, `${time}`);
  }
  assert.equal(treeOf(home).length, 200);
});

Deno.test("a place of which no byte has come lapses, and its upload is dropped", async () => {
  const { home, begin, go } = await asked();
  const [silent, slow] = [await begin("silent.txt", 9), await begin("slow.txt", 9)];
  await assertStatus(await go("PATCH", slow, "abc"), 204);
  assert.equal(treeOf(home).length, 2);
  await app.later(61_000, async () => {
    await assertStatus(await go("HEAD", silent), 404);
    await assertStatus(await begin("new.txt", 9), 201);
    assert.equal(treeOf(home).length, 2);
    await assertStatus(await go("PATCH", slow, "defghi", 3), 204);
  });
  assert.ok(treeOf(home).includes("slow.txt"));
});

Deno.test("no folder is made before the last byte", async () => {
  const { home, begin, go } = await asked({ maxFiles: 1 });
  const deep = Array.from({ length: 19 }, (_, index) => `l${index}`).join("/");
  for (let time = 0; time < 10; time++) {
    const begun = await begin(`d${time}/${deep}/x.txt`, 9);
    await assertStatus(begun, 201);
    await assertStatus(await go("DELETE", begun), 204);
  }
  assert.deepEqual(treeOf(home), []);
  const begun = await begin("d/e/x.txt", 6);
  await assertStatus(await go("PATCH", begun, "abc"), 204);
  assert.equal(treeOf(home).length, 1);
  await assertStatus(await go("PATCH", begun, "def", 3), 204);
  assert.deepEqual(treeOf(home), ["d/", "d/e/", "d/e/x.txt"]);
  assert.equal(Deno.readTextFileSync(join(home, "d/e/x.txt")), "abcdef");
});

Deno.test("a folder whose name a file has is numbered, and nobody learns of it", async () => {
  const { home, begin, own } = await asked();
  await assertStatus(await own("secret.pdf", 3), 200);
  const answers: string[] = [];
  for (const name of ["secret.pdf/x.txt", "other.pdf/x.txt", "secret.pdf/y/z.txt"]) {
    const answer = await begin(name, 3, { body: "abc" });
    const { location: _, ...headers } = Object.fromEntries(answer.headers);
    answers.push(`${answer.status} ${Object.keys(headers).sort()} ${await answer.text()}`);
  }
  assert.deepEqual(new Set(answers).size, 1, answers.join("\n"));
  assert.match(answers[0] ?? "", /^201 /);
  const tree = treeOf(home).filter((path) => !path.endsWith("/"));
  assert.deepEqual(tree, [
    "other.pdf/x.txt",
    "secret.pdf",
    "secret.pdf(1)/x.txt",
    "secret.pdf(1)/y/z.txt",
  ]);
});

Deno.test("refusals name the path that the visitor gave, not the number of a taken one", async () => {
  const { begin, go, own } = await asked({}, { bytes: 100 });
  await assertStatus(await own("secret.txt", 3), 200);
  const begun = await begin("secret.txt", 90);
  const refused = await go("PATCH", begun, "x".repeat(95));
  assert.ok(!(await assertRefused(refused, 413, "body_too_large")).includes("(1)"));
});

async function shared(app: TestApp) {
  await Deno.mkdir(join(app.root, "box"));
  const owner = await app.addUser("sharer", { scope: "/box" });
  const friend = await app.addUser("adder");
  const json = { audience: [{ name: "adder", may: "upload" }] };
  const answer = await app.call("POST", "/api/share/", { token: owner.token, json });
  const { hash } = await answer.json();
  return (name: string) =>
    app.call("POST", `/api/public/tus/${hash}`, {
      token: friend.token,
      body: "x",
      headers: {
        "upload-length": "1",
        "content-type": type,
        "upload-metadata": `filename ${text(name)}`,
      },
    });
}

Deno.test("names of files that recipients add are names on every system", async () => {
  const add = await shared(app);
  const names = {
    "..\\..\\t.txt": "t.txt",
    "x\ny.txt": "xy.txt",
    "evil\u202egpj.exe": "evilgpj.exe",
    ".htaccess": "_htaccess",
    "nul.txt": "_nul.txt",
    "in/deep/a.txt": "in/deep/a.txt",
  };
  for (const name of Object.keys(names)) await assertStatus(await add(name), 201, name);
  const files = treeOf(join(app.root, "box")).filter((path) => !path.endsWith("/"));
  assert.deepEqual(files, Object.values(names).sort());
  for (const name of ["../up.txt", "in/./b.txt", "a\0b.txt"]) {
    await assertRefused(await add(name), 400, "invalid_name", name);
  }
  for (const name of ["", "/", "//"]) await assertRefused(await add(name), 400, "invalid_option");
});
