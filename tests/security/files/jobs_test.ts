// With two threads, too: jobs, and rights that end meanwhile.
import assert from "node:assert/strict";
import { join } from "node:path";
import type { JobInfo } from "../../../lib/shared/schemas/job.ts";
import { deny } from "../../support/data/rules.ts";
import { startApp } from "../../support/server/app.ts";
import { assertRefused, assertStatus } from "../../support/server/refused.ts";

const app = await startApp({
  tree: {
    home: {
      "own.txt": "own",
      ".hidden": "hidden",
      denied: { "a.txt": "DENIED" },
      mixed: { "ok.txt": "ok", denied: { "b.txt": "DENIED" } },
      sub: { "own.txt": "sub" },
    },
    other: { "secret.txt": "SECRET" },
  },
});
Deno.test.afterAll(app.close);
const { token } = await app.addUser("anna", {
  scope: "/home",
  hideDotfiles: true,
  rules: [deny("/denied"), deny("/mixed/denied")],
});
const headers = { prefer: "respond-async, wait=30" };
const at = (path: string) => join(app.root, path);
const read = (path: string) => Deno.readTextFileSync(at(path));

Deno.symlinkSync("../other", at("home/folder"));
Deno.symlinkSync("../other/secret.txt", at("home/link.txt"));

interface Entry {
  path: string;
  destination?: string;
  override?: boolean;
}

async function jobOf(answer: Response): Promise<JobInfo> {
  const text = await answer.text();
  assert.equal(answer.status, 200, text);
  return JSON.parse(text);
}

async function begin(action: string, entries: Entry[], as = token): Promise<JobInfo> {
  const json = { action, entries };
  return await jobOf(await app.call("POST", "/api/jobs", { token: as, json, headers }));
}

async function undo(id: string, as = token): Promise<JobInfo> {
  return await jobOf(await app.call("POST", `/api/jobs/${id}/undo`, { token: as, headers }));
}

/** How the call of one entry refuses it. */
async function refusalOf(action: string, { path, destination, override }: Entry) {
  const query = destination === undefined
    ? `?trash=${action === "trash"}`
    : `?action=${action}&destination=${destination}&override=${override ?? false}`;
  const method = destination === undefined ? "DELETE" : "PATCH";
  const answer = await app.call(method, `/api/resources${path}${query}`, { token });
  assert.ok(answer.status >= 400, `${action} ${path} ${destination}`);
  const { code, message } = await answer.json();
  return { code, message };
}

/** All that lies below the root, with what is in it. */
function treeOf(folder = "."): string[] {
  return [...Deno.readDirSync(at(folder))].flatMap(({ name, isDirectory, isFile }) => {
    const path = join(folder, name);
    return isDirectory ? treeOf(path) : [isFile ? `${path}: ${read(path)}` : path];
  }).sort();
}

function codesOf({ failures }: JobInfo): string[] {
  return failures.map(({ code }) => code);
}

Deno.test("traversal: no entry and no destination climbs out of the scope", async () => {
  const before = treeOf();
  for (const path of ["/../other", "..", "/sub/../../other", "/own.txt/..", "/a\0b", "/\ud800"]) {
    for (
      const [action, entry] of [
        ["copy", { path, destination: "/got" }],
        ["move", { path: "/own.txt", destination: path }],
        ["trash", { path }],
        ["delete", { path }],
      ] as const
    ) {
      const json = { action, entries: [{ path: "/sub" }, entry] };
      if ("destination" in entry) json.entries.shift();
      const answer = await app.call("POST", "/api/jobs", { token, json });
      await assertRefused(answer, 400, "invalid_path", `${action} ${path}`);
    }
  }
  // Names that only look like dot segments; those with a dot before them are hidden.
  for (const path of ["/..%2fother", "/%2e%2e/other", "/..\\other"]) {
    const [code = ""] = codesOf(await begin("trash", [{ path }]));
    assert.ok(["not_found", "forbidden"].includes(code), path);
  }
  assert.deepEqual(treeOf(), before);
});

Deno.test("traversal: an id that is a path, a key or too long reaches no record", async () => {
  const long = "x".repeat(5_000);
  for (const id of ["%2e%2e%2ftrash", "..", "..%2F1", "%00", "__proto__", "1", long]) {
    for (const [method, more] of [["GET", ""], ["PATCH", ""], ["POST", "/undo"]] as const) {
      const json = method === "PATCH" ? { state: "cancelled" } : undefined;
      const answer = await app.call(method, `/api/jobs/${id}${more}`, { token, json });
      assert.ok([400, 404, 405].includes(answer.status), `${method} ${id}: ${answer.status}`);
      await answer.body?.cancel();
    }
    const upload = await app.call("POST", `/api/resources/up.txt?job=${id}`, { token, body: "x" });
    if (id !== "__proto__") await assertRefused(upload, 400, "invalid_option", id);
    else await assertStatus(upload, 200);
    const restored = await app.call("POST", `/api/trash/${id}`, { token });
    assert.ok([400, 404, 405].includes(restored.status), `trash ${id}: ${restored.status}`);
    await restored.body?.cancel();
    const page = await app.call("GET", `/api/trash?before=${id}`, { token });
    assert.ok([200, 400].includes(page.status), `before=${id}: ${page.status}`);
    await page.body?.cancel();
  }
  Deno.removeSync(at("home/up.txt"));
});

Deno.test("what rules deny, hide or keep, and links that lead out, are refused as by one call", async () => {
  const before = treeOf();
  const kept = ["/denied", "/denied/a.txt", "/denied/none", "//denied//a.txt", "/mixed"];
  const paths = [...kept, "/.hidden", "/folder/secret.txt", "/folder/none", "/link.txt/in"];
  const places = ["/denied/new", "/denied/a.txt", "/.new", "/folder/new", "/link.txt/in"];
  const removed = paths.map((path) => ({ path }));
  const moved = [
    ...paths.map((path) => ({ path, destination: "/got" })),
    ...places.map((destination) => ({ path: "/own.txt", destination, override: true })),
  ];
  for (const action of ["copy", "rename", "trash", "delete"]) {
    const entries = action === "copy" || action === "rename" ? moved : removed;
    const alone: object[] = [];
    for (const entry of entries) alone.push(await refusalOf(action, entry));
    const job = await begin(action === "rename" ? "move" : action, entries);
    assert.deepEqual(job.failures.map(({ code, message }) => ({ code, message })), alone, action);
    assert.equal(job.undo, "nothing");
    assert.deepEqual(treeOf(), before);
  }
});

Deno.test("nobody lists, reads, changes or undoes the job of another, not even an administrator", async () => {
  const { id } = await begin("copy", [{ path: "/own.txt", destination: "/mine.txt" }]);
  for (const as of [await app.tokenOf("admin"), (await app.addUser("bert")).token]) {
    assert.deepEqual(await (await app.call("GET", "/api/jobs", { token: as })).json(), []);
    for (const [method, more] of [["GET", ""], ["PATCH", ""], ["POST", "/undo"]] as const) {
      const json = method === "PATCH" ? { state: "paused" } : undefined;
      const answer = await app.call(method, `/api/jobs/${id}${more}`, { token: as, json });
      await assertRefused(answer, 404, "not_found");
    }
    const upload = await app.call("POST", `/api/resources/by.txt?job=${id}`, { token: as });
    await assertStatus(upload, 200);
    Deno.removeSync(at("by.txt"));
    const [own] = await (await app.call("GET", "/api/jobs", { token: as })).json();
    assert.equal(own.action, "upload", "the same id is a job of one's own");
  }
  assert.equal((await undo(id)).state, "undone");
});

Deno.test("an upload can't be added to a job that does something else", async () => {
  const { id } = await begin("copy", [{ path: "/own.txt", destination: "/copy.txt" }]);
  await assertStatus(await app.call("POST", `/api/resources/up.txt?job=${id}`, { token }), 200);
  const job = await jobOf(await app.call("GET", `/api/jobs/${id}`, { token }));
  assert.deepEqual([job.action, job.total], ["copy", 1]);
  await undo(id);
  assert.ok(read("home/up.txt") === "");
  Deno.removeSync(at("home/up.txt"));
});

Deno.test("undo stays inside a scope that was narrowed meanwhile", async () => {
  const { user, token: wide } = await app.addUser("narrowed", { scope: "/" });
  const moved = await begin(
    "move",
    [{ path: "/home/own.txt", destination: "/other/own.txt" }],
    wide,
  );
  const gone = await begin("trash", [{ path: "/other/secret.txt" }], wide);
  const here = await begin("copy", [{ path: "/home/sub/own.txt", destination: "/sub.txt" }], wide);
  await app.cubby.users.update(user.id, { scope: "/home" });
  const narrow = await app.tokenOf("narrowed");
  const before = treeOf();
  for (const { id } of [moved, gone, here]) {
    const undone = await undo(id, narrow);
    assert.equal(undone.failed, 1, JSON.stringify(undone));
    assert.ok(["not_found", "precondition_failed"].includes(codesOf(undone)[0] ?? ""));
  }
  assert.deepEqual(treeOf(), before);
  await app.cubby.users.update(user.id, { scope: "/" });
  const again = await app.tokenOf("narrowed");
  for (const { id } of [moved, gone, here]) assert.equal((await undo(id, again)).failed, 0);
  assert.deepEqual([read("home/own.txt"), read("other/secret.txt")], ["own", "SECRET"]);
});

Deno.test("undo asks for the permissions that its user has by then, and the rules", async () => {
  const { user, token: former } = await app.addUser("demoted", { scope: "/home" });
  const copied = await begin("copy", [{ path: "/own.txt", destination: "/c.txt" }], former);
  const moved = await begin("move", [{ path: "/c.txt", destination: "/m.txt" }], former);
  const gone = await begin("trash", [{ path: "/sub" }], former);
  const before = treeOf();
  const none = { create: false, rename: false, modify: false, delete: false };
  for (
    const change of [
      { perm: { ...user.perm, ...none } },
      { perm: user.perm, rules: [deny("/m.txt"), deny("/c.txt"), deny("/sub")] },
    ]
  ) {
    await app.cubby.users.update(user.id, change);
    const now = await app.tokenOf("demoted");
    for (const { id } of [moved, gone]) {
      assert.deepEqual(codesOf(await undo(id, now)), ["forbidden"]);
    }
    assert.equal((await undo(copied.id, now)).failed, 1);
    assert.deepEqual(treeOf(), before);
  }
  await app.cubby.users.update(user.id, { rules: [] });
  const again = await app.tokenOf("demoted");
  for (const { id } of [gone, moved, copied]) {
    assert.deepEqual(codesOf(await undo(id, again)), []);
  }
});

Deno.test("who gets the name of a former user gets none of the jobs, and none of the trash", async () => {
  const { user, token: former } = await app.addUser("reborn", { scope: "/home" });
  const { id } = await begin("trash", [{ path: "/own.txt" }], former);
  await app.cubby.users.remove(user.id);
  const { token: later } = await app.addUser("reborn", { scope: "/home" });
  assert.deepEqual(await (await app.call("GET", "/api/jobs", { token: later })).json(), []);
  const { items } = await (await app.call("GET", "/api/trash", { token: later })).json();
  assert.deepEqual(items, []);
  const answer = await app.call("POST", `/api/jobs/${id}/undo`, { token: later });
  await assertRefused(answer, 404, "not_found");
  for (const as of [former, undefined]) {
    const dead = await app.call("POST", `/api/jobs/${id}/undo`, { token: as });
    await assertRefused(dead, 401, "not_signed_in");
  }
  Deno.writeTextFileSync(at("home/own.txt"), "own");
});

Deno.test("undo follows no folder that was exchanged for a link out of the scope", async () => {
  Deno.mkdirSync(at("home/way"));
  const moved = await begin("move", [{ path: "/own.txt", destination: "/way/own.txt" }]);
  Deno.renameSync(at("home/way"), at("home/aside"));
  Deno.symlinkSync("../other", at("home/way"));
  Deno.linkSync(at("home/aside/own.txt"), at("other/own.txt"));
  assert.deepEqual(codesOf(await undo(moved.id)), ["forbidden"]);
  assert.equal(read("other/own.txt"), "own");
  Deno.removeSync(at("other/own.txt"));
  Deno.removeSync(at("home/way"));
  Deno.renameSync(at("home/aside"), at("home/way"));
  assert.deepEqual(codesOf(await undo(moved.id)), []);
  assert.equal(read("home/own.txt"), "own");
});

Deno.test("a body over 16 MiB, of millions of values or of deep lists is refused at once", async () => {
  const send = (body: string) => app.call("POST", "/api/jobs", { token, body });
  const many = `{"action":"trash","entries":[${"{},".repeat(1_000_000)}{}]}`;
  await assertRefused(await send(many), 400, "invalid_body");
  await assertRefused(await send("[".repeat(10_000_000)), 400, "invalid_body");
  const nested = `{"action":"trash","entries":${"[".repeat(200_000)}${"]".repeat(200_000)}}`;
  assert.equal((await send(nested)).status, 400);
  const long = `{"action":"${"x".repeat(16 * 1024 * 1024)}"}`;
  await assertRefused(await send(long), 413, "body_too_large");
  const quoted = JSON.stringify({ action: "trash", entries: [{ path: '/,{[\\",'.repeat(500) }] });
  assert.equal(
    (await jobOf(
      await app.call("POST", "/api/jobs", {
        ...{ token, body: quoted, headers },
      }),
    )).failed,
    1,
  );
});

Deno.test("deep and long paths are refused, and fail no other entry", async () => {
  for (const path of ["/d".repeat(4_001), `/${"n".repeat(5_001)}`, "/\u{1F600}".repeat(2_000)]) {
    for (const entry of [{ path }, { path: "/own.txt", destination: path }]) {
      const json = { action: "destination" in entry ? "copy" : "trash", entries: [entry] };
      await assertRefused(
        await app.call("POST", "/api/jobs", { token, json }),
        400,
        "invalid_path",
      );
    }
  }
  const job = await begin("copy", [
    { path: "/own.txt", destination: "/d".repeat(2_000) },
    { path: "/own.txt", destination: `/${"n".repeat(300)}` },
    { path: "/own.txt", destination: "/after.txt" },
  ]);
  assert.equal(job.state, "done");
  assert.ok(job.arrived.includes("after.txt") && codesOf(job).includes("invalid_name"));
  assert.deepEqual((await undo(job.id)).state, "undone");
});
