/** Disks below the root that hang, die and go away, mounted for real: nobody else waits for them. */
import assert from "node:assert/strict";
import { join } from "node:path";
import { eventually } from "../../support/browser/listing.ts";
import { manyFilesBody } from "../../support/data/many_files.ts";
import { plant, temporaryFolder } from "../../support/disks/files.ts";
import { ensureFuse, type FuseMount, mountFuse } from "../../support/disks/fuse.ts";
import {
  type RunningServer,
  type ServerOptions,
  startServer,
} from "../../support/server/server.ts";
import { ensureArchivers, runArchiver } from "../../support/disks/archivers.ts";

/** Deadlines are short: see there. */
const command = ["run", "-A", "--cached-only", "tests/support/probes/launch_hasty.ts"];
const patienceMs = 1_000;

/** What others may wait for while a disk hangs: less than the server has patience with it. */
const quickMs = patienceMs / 2;

/** A server that hangs fails a test, and does not keep it for ever. */
const limitMs = 10_000;

await ensureFuse();
await ensureArchivers();

interface Asked {
  /** 0 when no answer came. */
  status: number;
  text: string;
  bytes: Uint8Array<ArrayBuffer>;
  ms: number;
}

interface Scene extends AsyncDisposable {
  server: RunningServer;
  disk: FuseMount;
  /** What the disk shows. */
  source: string;
  /** With them, requests are those of a user who has signed in. */
  headers: HeadersInit;
  ask(method: string, path: string, body?: string): Promise<Asked>;
}

/** A server with a local folder, a disk of its own at `nas`, and a link into that. */
async function scene(options: ServerOptions = {}, at = "nas"): Promise<Scene> {
  const stack = new AsyncDisposableStack();
  const source = stack.use(await temporaryFolder());
  await plant(source.path, { "a.txt": "far", sub: { "needle.txt": "far" } });
  const root = stack.use(await temporaryFolder());
  await plant(root.path, { nas: {}, nas2: { "b.txt": "near" }, local: { "needle.txt": "near" } });
  Deno.symlinkSync("nas/a.txt", join(root.path, "link"));
  const disk = stack.use(await mountFuse(source.path, join(root.path, at)));
  const server = stack.use(await startServer({ command, root: root.path, ...options }));
  const { username, password } = server;
  const signedIn = await fetch(`${server.url}/api/login`, {
    method: "POST",
    body: JSON.stringify({ username, password }),
  });
  const headers = { "x-auth": await signedIn.text(), accept: "application/json" };
  return {
    server,
    disk,
    source: source.path,
    headers,
    async ask(method, path, body) {
      const start = performance.now();
      const signal = AbortSignal.timeout(limitMs);
      try {
        const answer = await fetch(server.url + path, { method, headers, body, signal });
        const bytes = await answer.bytes();
        const text = new TextDecoder().decode(bytes);
        return { status: answer.status, text, bytes, ms: performance.now() - start };
      } catch (error) {
        const ms = performance.now() - start;
        return { status: 0, text: String(error), bytes: new Uint8Array(), ms };
      }
    },
    [Symbol.asyncDispose]: () => stack.disposeAsync(),
  };
}

function assertTimeout({ status, text }: Asked): void {
  assert.equal(status, 504, text);
  assert.equal(JSON.parse(text).code, "disk_timeout");
}

/** Half of what is asked for is answered so fast: the machine may be busy with other tests. */
function assertQuick(asked: Asked[]): void {
  for (const { status, text } of asked) assert.equal(status, 200, text);
  const times = asked.map(({ ms }) => ms).sort((a, b) => a - b);
  assert.ok((times[times.length >> 1] ?? 0) < quickMs, `took ${times.map(Math.round)} ms`);
}

function namesOf({ text }: Asked): string[] {
  return JSON.parse(text).items.map(({ name }: { name: string }) => name).sort();
}

const far = { path: "nas/many.txt", text: "far, too" };
const near = { path: "local/many.txt", text: "near" };

/** What became of many files. */
function statusesOf({ text }: Asked): number[] {
  return JSON.parse(text).files.map(({ status }: { status: number }) => status);
}

Deno.test("a hung mount holds up those who ask for it, and nobody else", async (t) => {
  await using here = await scene();
  const { ask, disk } = here;

  await t.step("a mount is served like other folders while it answers", async () => {
    assert.deepEqual(namesOf(await ask("GET", "/api/resources/nas/")), ["a.txt", "sub"]);
    assert.equal((await ask("GET", "/api/raw/nas/a.txt")).text, "far");
    assert.equal((await ask("GET", "/api/raw/link")).text, "far");
    assert.equal((await ask("POST", "/api/resources/nas/new.txt", "sent there")).status, 200);
    assert.equal((await ask("GET", "/api/raw/nas/new.txt")).text, "sent there");
    const many = await ask("POST", "/api/uploads/", manyFilesBody([far, near]));
    assert.deepEqual(statusesOf(many), [200, 200]);
    assert.equal((await ask("GET", "/api/raw/nas/many.txt")).text, "far, too");
    const found = JSON.parse((await ask("GET", "/api/search/?query=needle")).text);
    assert.deepEqual(found.map(({ path }: { path: string }) => path).sort(), [
      "local/needle.txt",
      "nas/sub/needle.txt",
    ]);
  });

  await t.step("while it hangs, one listing of it is 504 and all others are quick", async () => {
    await disk.hang();
    let isOver = false;
    const hung = ask("GET", "/api/resources/nas/").finally(() => isOver = true);
    await new Promise((resolve) => setTimeout(resolve, 50));
    const others: Asked[] = [];
    for (let round = 0; round < 4; round++) {
      for (
        const path of [
          ...["/health", "/health/ready", "/api/resources/local/", "/api/raw/local/needle.txt"],
          ...["/api/resources/", "/api/resources/nas2/"],
        ]
      ) {
        const asked = await ask("GET", path);
        assert.equal(asked.status, 200, `${path}: ${asked.text}`);
        others.push(asked);
      }
      // On a busy machine all rounds may take longer than the server has patience.
      if (round === 0) assert.equal(isOver, false, "others waited for it");
    }
    assertQuick(others);
    assertTimeout(await hung);
  });

  await t.step("from then on everything that needs it is 504 at once", async () => {
    const copy = "?action=copy&destination=";
    for (
      const [method, path, body] of [
        ["GET", "/api/resources/nas/"],
        ["GET", "/api/resources/nas/sub/needle.txt?checksum=md5"],
        ["GET", "/api/raw/nas/a.txt"],
        ["GET", "/api/raw/?algo=zip"],
        ["GET", "/api/raw/link"],
        ["GET", "/api/search/?query=needle"],
        ["GET", "/api/usage/nas/"],
        ["GET", "/api/subtitle/nas/a.srt"],
        ["GET", "/api/preview/thumb/nas/a.png"],
        ["POST", "/api/resources/nas/b.txt", "lost"],
        ["POST", "/api/uploads/nas/", manyFilesBody([{ path: "b.txt", text: "lost" }])],
        ["POST", "/api/uploads/", manyFilesBody([{ path: "nas/b.txt", text: "lost" }])],
        ["PUT", "/api/resources/nas/a.txt", "lost"],
        ["POST", "/api/share/nas/a.txt"],
        ["PATCH", `/api/resources/local/needle.txt${copy}/nas/b.txt`],
        ["PATCH", `/api/resources/nas/a.txt${copy}/local/b.txt`],
        ["DELETE", "/api/resources/nas/a.txt"],
      ] as const
    ) {
      const times: number[] = [];
      // What waits for the disk takes too long each time; a busy machine does not.
      while (times.length < 3 && !((times.at(-1) ?? patienceMs) < patienceMs)) {
        const asked = await ask(method, path, body);
        assertTimeout(asked);
        times.push(asked.ms);
      }
      assert.ok((times.at(-1) ?? 0) < patienceMs, `${method} ${path} took ${times} ms`);
    }
  });

  await t.step("many files for another folder are written meanwhile", async () => {
    const body = manyFilesBody([{ path: "later.txt", text: "later" }]);
    assert.deepEqual(statusesOf(await ask("POST", "/api/uploads/local/", body)), [200]);
  });

  await t.step("the folder above shows it as one entry, of which nothing is known", async () => {
    const { items } = JSON.parse((await ask("GET", "/api/resources/")).text);
    const nas = items.find(({ name }: { name: string }) => name === "nas");
    assert.deepEqual([nas.isDir, nas.size, nas.modified], [true, 0, "1970-01-01T00:00:00.000Z"]);
    assert.equal(items.length, 4);
  });

  await t.step("sizes of folders are told at once, but for the mount", async () => {
    const sizes = await ask("POST", "/api/sizes/", '{"names": ["nas", "local", "nas2"]}');
    const lines = sizes.text.trim().split("\n").map((line) => JSON.parse(line));
    const known = lines.filter(({ unreadable }) => unreadable === 0);
    assert.deepEqual(known.map(({ name }) => name).sort(), ["local", "nas2"]);
  });

  await t.step("everything answers once it goes on, and nothing refused was done", async () => {
    disk.goOn();
    await eventually(async () => (await ask("GET", "/api/resources/nas/")).status === 200);
    await disk.released();
    const names = namesOf(await ask("GET", "/api/resources/nas/"));
    assert.deepEqual(names, ["a.txt", "many.txt", "new.txt", "sub"]);
    const path = "/api/resources/local/needle.txt?action=copy&destination=/nas/b.txt";
    assert.equal((await ask("PATCH", path)).status, 200);
    assert.equal((await ask("GET", "/api/raw/nas/b.txt")).text, "near");
  });
});

Deno.test("one folder that hangs on a mount does not take the rest of it along", async () => {
  await using inner = await temporaryFolder();
  await using here = await scene();
  const { ask } = here;
  // The mount waits for another one when it is asked for this folder, and answers otherwise.
  Deno.mkdirSync(join(here.source, "sub/sticky"));
  await using sticky = await mountFuse(inner.path, join(here.source, "sub/sticky"));
  assert.equal((await ask("GET", "/api/resources/nas/sub/sticky/")).status, 200);
  await sticky.hang();
  for (let tries = 0; tries < 2; tries++) {
    assertTimeout(await ask("GET", "/api/resources/nas/sub/sticky/"));
    assert.deepEqual(namesOf(await ask("GET", "/api/resources/nas/")), ["a.txt", "sub"]);
    assert.equal((await ask("GET", "/api/raw/nas/a.txt")).text, "far");
  }
  sticky.goOn();
  await eventually(async () => (await ask("GET", "/api/resources/nas/sub/sticky/")).status === 200);
});

Deno.test("a dead mount is one broken entry and no more", async () => {
  await using here = await scene();
  const { ask, disk } = here;
  await disk.die();
  assert.deepEqual(namesOf(await ask("GET", "/api/resources/")), ["link", "local", "nas", "nas2"]);
  const broken = await ask("GET", "/api/resources/nas/");
  assert.equal(JSON.parse(broken.text).code, "disk_away", broken.text);

  const found = await ask("GET", "/api/search/?query=needle");
  assert.deepEqual(JSON.parse(found.text), [{ path: "local/needle.txt", dir: false }]);

  for (const algo of ["zip", "tar"]) {
    const { status, bytes } = await ask("GET", `/api/raw/?algo=${algo}`);
    assert.equal(status, 200);
    await using folder = await temporaryFolder();
    const file = join(folder.path, "all");
    Deno.writeFileSync(file, bytes);
    const listed = algo === "zip"
      ? await runArchiver("unzip", ["-Z1", file])
      : await runArchiver("tar", ["-tf", file]);
    const names = new TextDecoder().decode(listed).trim().split("\n").sort();
    assert.deepEqual(names, ["local/", "local/needle.txt", "nas2/", "nas2/b.txt"], algo);
  }
  const refused = await ask("DELETE", "/api/resources/nas/");
  assert.ok(refused.status >= 400, refused.text);
  assert.deepEqual(namesOf(await ask("GET", "/api/resources/")), ["link", "local", "nas", "nas2"]);
});

for (const workers of [1, 2]) {
  Deno.test(`SIGTERM ends a server with ${workers} threads while a mount hangs`, async () => {
    await using here = await scene({ workers });
    const { ask, disk, server } = here;
    assert.equal((await ask("GET", "/api/resources/nas/")).status, 200);
    await disk.hang();
    const asked = [1, 2, 3, 4].map(() => ask("GET", "/api/resources/nas/"));
    await new Promise((resolve) => setTimeout(resolve, 100));
    Deno.kill(server.pid, "SIGTERM");
    // A call that the kernel does not give up would keep the server, and this test, for ever.
    let isHung = true;
    const timer = setTimeout(() => {
      isHung = false;
      disk.goOn();
    }, limitMs);
    assert.equal(await server.ended, 0, server.output());
    clearTimeout(timer);
    assert.ok(isHung, "it waited for the disk");
    await Promise.all(asked);
  });
}

Deno.test("SIGTERM ends the watch of a folder on a mount at once", async () => {
  await using here = await scene();
  const { server, headers } = here;
  const answer = await fetch(`${server.url}/api/watch/nas/`, { headers });
  assert.equal(answer.status, 200);
  const start = performance.now();
  Deno.kill(server.pid, "SIGTERM");
  await answer.text();
  assert.equal(await server.ended, 0, server.output());
  // The time for requests under way is 2 s.
  assert.ok(performance.now() - start < 1_900);
});

Deno.test("a root on a disk that may hang is served, and does not take the server along", async () => {
  await using here = await scene({}, ".");
  const { ask, disk } = here;
  assert.deepEqual(namesOf(await ask("GET", "/api/resources/")), ["a.txt", "sub"]);
  assert.equal((await ask("POST", "/api/resources/x/y.txt", "deep")).status, 200);
  assert.equal((await ask("GET", "/api/raw/x/y.txt")).text, "deep");

  const proof = { current_password: here.server.password };
  const settings = JSON.parse((await ask("GET", "/api/settings")).text);
  const homes = { ...settings, createUserDir: true, ...proof };
  assert.equal((await ask("PUT", "/api/settings", JSON.stringify(homes))).status, 200);
  const data = { username: "anna", password: "a bear sleeps under 9 pines" };
  const user = { what: "user", which: [], data, ...proof };
  assert.equal((await ask("POST", "/api/users", JSON.stringify(user))).status, 201);
  assert.deepEqual(namesOf(await ask("GET", "/api/resources/users/")), ["anna"]);

  await disk.hang();
  assertTimeout(await ask("GET", "/api/resources/"));
  assertQuick(await Promise.all([1, 2, 3].map(() => ask("GET", "/health"))));
  assert.equal((await ask("GET", "/health/ready")).status, 503);
  disk.goOn();
  await eventually(async () => (await ask("GET", "/api/resources/")).status === 200);
  await eventually(async () => (await ask("GET", "/health/ready")).status === 200);
});

Deno.test("a root that is unmounted and mounted again is told, and ends the server", async () => {
  // On a busy machine it may have ended before it was asked.
  for (let tries = 0; !await isToldThenEnded(); tries++) assert.ok(tries < 5, "nobody is told");
});

/** Whether a server told that its root was gone before it ended for that. */
async function isToldThenEnded(): Promise<boolean> {
  await using root = await temporaryFolder();
  await run("mount", "-t", "tmpfs", "cubby-test", root.path);
  try {
    await using server = await startServer({ command, root: root.path });
    const statusOf = async (path: string) => {
      const answer = await fetch(server.url + path);
      await answer.body?.cancel();
      return answer.status;
    };
    assert.equal(await statusOf("/health/ready"), 200);
    let isEnded = false;
    const ended = server.ended.finally(() => isEnded = true);
    await run("umount", "-l", root.path);
    await run("mount", "-t", "tmpfs", "cubby-test", root.path);
    let told: number[] = [];
    while (!isEnded && told.join() !== "503,200") {
      const statuses = Promise.all(["/health/ready", "/health"].map(statusOf));
      told = await statuses.catch(() => []);
    }
    assert.equal(await ended, 1, server.output());
    assert.match(server.output(), /^\S+Z Cannot serve ".+" any more: .+unmounted.+$/m);
    return told.join() === "503,200";
  } finally {
    await run("umount", "-l", root.path);
  }
}

async function run(program: string, ...args: string[]): Promise<void> {
  const { success, stderr } = await new Deno.Command(program, { args }).output();
  assert.ok(success, `${program} ${args.join(" ")}: ${new TextDecoder().decode(stderr)}`);
}
