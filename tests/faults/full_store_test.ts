/** The disk under the store is full. */
import assert from "node:assert/strict";
import { join } from "node:path";
import { parsePath } from "../../lib/shared/path.ts";
import { SERVER } from "../../lib/server/core/access/viewer.ts";
import { fixture } from "../compat/move/installation.ts";
import { openTerminal } from "../unit/cli/terminal.ts";
import { startApp, type TestApp } from "../support/server/app.ts";
import { atLater } from "../support/run/clock.ts";
import { fillDisk, mount, smallDisk } from "../support/disks/small_disk.ts";
import { assertRefused, assertStatus } from "../support/server/refused.ts";
import { startServer } from "../support/server/server.ts";

/** Mounting wants the superuser. */
const ignore = Deno.uid() !== 0;

/** An application whose store is on a disk of its own. */
interface FullStore extends AsyncDisposable {
  app: TestApp;
  /** Of the administrator. */
  token: string;
  /** Fills the disk of the store. */
  fill(): void;
  free(): void;
}

async function openFullStore(): Promise<FullStore> {
  const disk = await smallDisk("size=4m");
  const app = await startApp({
    inProcess: true,
    config: { database: join(disk.path, "cubby.kv") },
    tree: { "a.txt": "one", "b.txt": "two", shared: { "c.txt": "three" } },
  });
  const filler = join(disk.path, "filler");
  return {
    app,
    token: await app.tokenOf("admin"),
    fill: () => fillDisk(filler),
    free: () => Deno.removeSync(filler),
    async [Symbol.asyncDispose]() {
      await app.close();
      await disk[Symbol.asyncDispose]();
    },
  };
}

/** Registers a test with a store of its own. */
function test(name: string, body: (store: FullStore) => Promise<void>): void {
  Deno.test({
    name,
    ignore,
    async fn() {
      await using store = await openFullStore();
      await body(store);
    },
  });
}

test(
  "signing out is told not to be on record, and ends the session nevertheless",
  async ({ app, fill, free, token }) => {
    const other = await app.tokenOf("admin");
    fill();
    const answer = await app.call("POST", "/api/logout", { token });
    assert.match(answer.headers.get("set-cookie") ?? "", /^auth=;.* Max-Age=0/);
    const message = await assertRefused(answer, 507, "disk_full");
    assert.match(
      message,
      /^Cannot store the end of the session: it holds only until the server restarts: /,
    );
    assert.ok(app.log.lines.includes(`Failed: POST /api/logout: ${message}`));
    await assertRefused(await app.call("GET", "/api/sessions", { token }), 401, "not_signed_in");
    await assertRefused(await app.call("POST", "/api/renew", { token }), 401, "not_signed_in");

    const list = await (await app.call("GET", "/api/sessions", { token: other })).json();
    assert.equal(list.length, 1);
    free();
    await assertRefused(await app.call("GET", "/api/sessions", { token }), 401, "not_signed_in");
    const left = await app.cubby.store.list(["sessions"]);
    assert.equal(left.length, 1, "once there is room, the end is recorded");
  },
);

Deno.test({
  name: "signing out without a record of it ends the session in every thread",
  ignore,
  async fn() {
    await using disk = await smallDisk("size=4m");
    const flags = ["--database", join(disk.path, "cubby.kv")];
    await using server = await startServer({ workers: 2, flags });
    using client = Deno.createHttpClient({ poolMaxIdlePerHost: 0 });
    const call = (method: string, path: string, given: RequestInit) => {
      const init: RequestInit & { client: Deno.HttpClient } = { ...given, method, client };
      return fetch(`${server.url}/api/${path}`, init);
    };
    const { username, password } = server;
    const body = JSON.stringify({ username, password });
    const headers = { "x-auth": await (await call("POST", "login", { body })).text() };

    fillDisk(join(disk.path, "filler"));
    await assertStatus(await call("POST", "logout", { headers }), 507);
    for (let connection = 0; connection < 30; connection++) {
      await assertStatus(await call("GET", "sessions", { headers }), 401);
    }
    assert.match(
      server.output(),
      /Failed: POST \/api\/logout: Cannot store the end of the session/,
    );
  },
});

test(
  "a session goes on, to free the disk, though its use cannot be noted",
  async ({ app, fill, token }) => {
    fill();
    await atLater(10 * 60_000, async () => {
      await assertStatus(await app.call("GET", "/api/resources/", { token }), 200);
      const gone = await app.call("DELETE", "/api/resources/a.txt?trash=false", { token });
      await assertStatus(gone, 200);
    });
    const json = { username: "admin", password: app.admin.password };
    await assertRefused(await app.call("POST", "/api/login", { json }), 507, "disk_full");
  },
);

/** Shares an entry; answers with the status that a visitor gets. */
async function share(app: TestApp, token: string, path: string): Promise<() => Promise<number>> {
  const made = await app.call("POST", `/api/share${path}`, { token });
  const { hash } = await made.json() as { hash: string };
  return async () => {
    const answer = await app.call("GET", `/api/public/share/${hash}`);
    await answer.body?.cancel();
    return answer.status;
  };
}

test(
  "a shared entry is neither deleted nor moved where its share cannot follow",
  async ({ app, fill, free, token }) => {
    const visit = await share(app, token, "/shared/");
    fill();
    const call = (method: string, query: string) =>
      app.call(method, `/api/resources/shared${query}`, { token });
    await assertRefused(await call("DELETE", "?trash=false"), 507, "disk_full");
    await assertRefused(await call("DELETE", "?trash=true"), 507, "disk_full");
    const move = "?action=rename&destination=%2Fmoved";
    await assertRefused(await call("PATCH", move), 507, "disk_full");
    assert.equal(Deno.readTextFileSync(join(app.root, "shared", "c.txt")), "three");
    assert.equal(await visit(), 200);
    free();
    await assertStatus(await call("PATCH", move), 200);
    assert.equal(await visit(), 200);
  },
);

test(
  "a change is done although the disk fills up meanwhile, and its share follows later",
  async ({ app, fill, free, token }) => {
    const visit = await share(app, token, "/shared/");
    const { gate, observers, store } = app.cubby;
    const access = gate.enter(SERVER);
    const at = (path: string) => parsePath(path).path;
    const move = (from: string, to: string, meanwhile: () => void) =>
      observers.moving(access.copy(at(from)), at(to), async () => {
        await Deno.rename(join(app.root, from), join(app.root, to));
        meanwhile();
        return at(to);
      });

    await move("/shared", "/moved", fill);
    assert.equal(await visit(), 404);
    assert.equal((await store.list(["pending_changes"])).length, 1);
    await observers.finishLate();
    assert.equal(await visit(), 404);
    free();
    await observers.finishLate();
    assert.equal(await visit(), 200);
    assert.equal((await store.list(["pending_changes"])).length, 0);
  },
);

test("the trash is emptied to free the disk that the store is on", async ({ app, fill, token }) => {
  await assertStatus(await app.call("DELETE", "/api/resources/a.txt?trash=true", { token }), 200);
  const [entry] = await app.cubby.trash.records.list();
  fill();
  await assertStatus(
    await app.call("DELETE", `/api/trash/${entry?.id}`, { token }),
    200,
  );
  assert.deepEqual([...Deno.readDirSync(join(app.root, ".cubby-trash"))], []);
});

test("a start on a full disk leaves tidying up to a later one", async ({ app, fill }) => {
  const expired = { ...(await app.cubby.sessions.list(1))[0], expires: 0 };
  await app.cubby.store.atomic((operation) => operation.set(["sessions", 1, "old"], expired));
  fill();
  await using second = await startApp({ inProcess: true, config: app.cubby.config });
  assert.deepEqual(second.log.lines, [
    "Cannot clean up: Cannot write to the store: its disk is full",
  ]);
  await assertStatus(await second.call("GET", "/health"), 200);
  await assertStatus(await second.call("GET", "/health/ready"), 503);
});

test("the server is not ready while the store cannot be written", async (store) => {
  const { app, fill, free, token } = store;
  const ready = () => app.call("GET", "/health/ready");
  await assertStatus(await ready(), 200);
  fill();
  await assertStatus(await ready(), 503);
  await assertStatus(await app.call("GET", "/api/resources/", { token }), 200);
  free();
  await assertStatus(await ready(), 200);
});

Deno.test({
  name: "the server in its sandbox is not ready while the disk of its store is full",
  ignore,
  async fn() {
    await using disk = await smallDisk("size=16m");
    await using server = await startServer({
      flags: ["--database", join(disk.path, "cubby.kv")],
    });
    const ready = () => fetch(`${server.url}/health/ready`);
    await assertStatus(await ready(), 200);
    const { username, password } = server;
    const body = JSON.stringify({ username, password });
    const signIn = () => fetch(`${server.url}/api/login`, { method: "POST", body });
    fillDisk(join(disk.path, "filler"));
    await assertStatus(await ready(), 503);
    await assertStatus(await signIn(), 507);
    Deno.removeSync(join(disk.path, "filler"));
    await assertStatus(await ready(), 200);
    await assertStatus(await signIn(), 200);
  },
});

test(
  "an administrator who is not signed in frees the disk by an API token",
  async ({ app, fill, token }) => {
    const json = { name: "rescue", write: true, current_password: app.admin.password };
    const made = await app.call("POST", "/api/tokens", { token, json });
    const { token: secret } = await made.json();
    fill();
    const gone = await app.call("DELETE", "/api/resources/a.txt?trash=false", { token: secret });
    await assertStatus(gone, 200);
    assert.ok(![...Deno.readDirSync(app.root)].some(({ name }) => name === "a.txt"));
  },
);

test(
  "an upload whose last bytes came while the store was full waits for room, and is not complete",
  async ({ app, fill, free, token }) => {
    const begins = { "upload-length": "3" };
    await assertStatus(await app.call("POST", "/api/tus/u.txt", { token, headers: begins }), 201);
    const part = { "upload-offset": "0", "content-type": "application/offset+octet-stream" };
    // The store fills up while the bytes come.
    const body = new ReadableStream({
      pull(controller) {
        fill();
        controller.enqueue(new TextEncoder().encode("abc"));
        controller.close();
      },
    }, { highWaterMark: 0 });
    const sent = await app.call("PATCH", "/api/tus/u.txt", { token, headers: part, body });
    await assertRefused(sent, 507, "disk_full");
    const head = async () => {
      const { status, headers } = await app.call("HEAD", "/api/tus/u.txt", { token });
      return [status, headers.get("upload-offset")];
    };
    assert.deepEqual(await head(), [507, null]);
    free();
    assert.deepEqual(await head(), [200, "3"]);
    assert.equal(await Deno.readTextFile(join(app.root, "u.txt")), "abc");
  },
);

Deno.test({
  name: "an import stops on a full disk, blames no user for it, and is completed by the next",
  ignore,
  async fn() {
    await using disk = await smallDisk("size=480k");
    await using terminal = await openTerminal();
    const at = ["--database", join(disk.path, "cubby.kv")];
    const { status, printed, warned } = await terminal.run("import", rich("filebrowser.db"), ...at);
    assert.deepEqual([status, warned], [1, ["Cannot write to the store: its disk is full"]]);
    assert.match(printed.join("\n"), /^Imported: the user /m);
    assert.doesNotMatch(printed.join("\n"), /^Not imported: /m);
    await mount("-o", "remount,size=8m", disk.path);
    const told = await terminal.ok("import", rich("filebrowser.db"), ...at);
    assert.match(told.join("\n"), /^Imported: 17 shares$/m);
    const { length } = JSON.parse(await Deno.readTextFile(rich("users.json")));
    assert.equal((await terminal.ok("users", "ls", ...at)).length, length + 1);
  },
});

const rich = (name: string) => fixture("rich", name);
