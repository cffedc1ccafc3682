// With two threads, too: roots that are given and taken.
import assert from "node:assert/strict";
import { join } from "node:path";
import type { NamedRoot } from "../../../lib/shared/schemas/named_root.ts";
import type { JobInfo } from "../../../lib/shared/schemas/job.ts";
import { type CallOptions, startApp } from "../../support/server/app.ts";
import { deny } from "../../support/data/rules.ts";
import { davClient, hrefsOf } from "../../support/clients/dav.ts";
import { assertRefused, assertStatus } from "../../support/server/refused.ts";
import { follow } from "../../support/clients/watching.ts";

const app = await startApp({
  config: { webdav: true },
  tree: {
    media: { pics: { "sea.jpg": "sea", sub: { "in.txt": "needle" } }, other: { "o.txt": "other" } },
    team: { "plan.txt": "needle plan", archive: { "old.txt": "old" }, inbox: {} },
    secret: { "key.txt": "KEY needle" },
  },
});
Deno.test.afterAll(app.close);
const { url } = app.listen();
const photos: NamedRoot = { name: "Photos", path: "/media/pics", readOnly: true };
const team: NamedRoot = { name: "Team", path: "/team", readOnly: false };
const anna = await app.addUser("anna", { roots: [photos, team] });
await Deno.symlink("../team/plan.txt", join(app.root, "media/pics", "cross.txt"));
await Deno.symlink("../../secret", join(app.root, "media/pics", "out"));
await Deno.symlink("../media/pics/sea.jpg", join(app.root, "team", "cross.jpg"));

const call = (method: string, path: string, more: CallOptions = {}) =>
  app.call(method, path, { token: anna.token, ...more });

async function names(path: string, token = anna.token): Promise<string[]> {
  const answer = await app.call("GET", `/api/resources${path}`, { token });
  assert.equal(answer.status, 200, await answer.clone().text());
  return (await answer.json()).items.map(({ name }: { name: string }) => name).sort();
}

async function run(json: object, token = anna.token): Promise<JobInfo> {
  const begun = await app.call("POST", "/api/jobs", { token, json });
  // It may be over by then.
  assert.ok([200, 202].includes(begun.status), await begun.clone().text());
  return await done((await begun.json()).id, token);
}

async function done(id: string, token = anna.token): Promise<JobInfo> {
  for (;;) {
    const job: JobInfo = await (await app.call("GET", `/api/jobs/${id}`, { token })).json();
    if (/^(done|cancelled|undone)$/.test(job.state)) return job;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

/** Everything on the disk, to see that nothing has changed. */
function onDisk(folder = app.root): string[] {
  return [...Deno.readDirSync(folder)].filter(({ name }) => name !== ".cubby-trash")
    .flatMap(({ name, isDirectory, isFile }) => {
      const path = join(folder, name);
      if (isDirectory) return [path, ...onDisk(path)];
      return isFile ? [`${path}: ${Deno.readTextFileSync(path)}`] : [path];
    }).sort();
}

/** Calls that change what is at or in a folder, each with a file of it. */
const writes = (folder: string, file: string): [string, string, CallOptions?][] => [
  ["POST", `/api/resources${folder}/new.txt`, { body: "x" }],
  ["POST", `/api/resources${folder}/new/`],
  ["POST", `/api/resources${file}?override=true`, { body: "x" }],
  ["PUT", `/api/resources${file}`, { body: "x" }],
  ["PATCH", `/api/resources${file}?action=rename&destination=${folder}/b.txt`],
  ["PATCH", `/api/resources${file}?action=rename&destination=/Team/b.txt`],
  ["PATCH", `/api/resources/Team/plan.txt?action=copy&destination=${folder}/plan.txt`],
  ["PATCH", `/api/resources/Team/plan.txt?action=rename&destination=${folder}/plan.txt`],
  ["DELETE", `/api/resources${file}`],
  ["POST", `/api/tus${folder}/tus.txt`, { headers: { "upload-length": "3" } }],
  ["POST", `/api/tus${file}?override=true`, { headers: { "upload-length": "3" } }],
];

Deno.test("read-only root: no call writes in it, by whatever path", async () => {
  const before = onDisk();
  for (const [method, path, more] of writes("/Photos", "/Photos/sea.jpg")) {
    const text = await assertRefused(await call(method, path, more), 403, "forbidden", path);
    if (!/move|delete/i.test(text)) assert.match(text, /read-only/, path);
  }
  const request = await call("POST", "/api/request/Photos", { json: {} });
  await assertRefused(request, 403, "forbidden", "a link for uploads");
  assert.deepEqual(onDisk(), before);
});

Deno.test("read-only root: jobs write nothing in it", async () => {
  await Deno.writeTextFile(join(app.root, "team", "small.tar"), "");
  const before = onDisk();
  const jobs = [
    { action: "delete", entries: [{ path: "/Photos/sea.jpg" }] },
    { action: "trash", entries: [{ path: "/Photos/sea.jpg" }] },
    { action: "copy", entries: [{ path: "/Team/plan.txt", destination: "/Photos/plan.txt" }] },
    { action: "move", entries: [{ path: "/Photos/sea.jpg", destination: "/Team/sea.jpg" }] },
    { action: "archive", entries: [{ path: "/Team/plan.txt", destination: "/Photos/p.zip" }] },
    { action: "extract", entries: [{ path: "/Team/small.tar", destination: "/Photos/x" }] },
  ];
  for (const job of jobs) {
    const begun = await call("POST", "/api/jobs", { json: job });
    const body = await begun.json();
    if (begun.status === 202) assert.equal((await done(body.id)).failed, 1, job.action);
    else assert.equal(begun.status, 403, `${job.action} ${JSON.stringify(body)}`);
  }
  assert.deepEqual(onDisk(), before);
});

Deno.test("read-only root: WebDAV writes nothing in it", async () => {
  const before = onDisk();
  const dav = davClient(app, "anna");
  const destination = { destination: "http://cubby.test/dav/Photos/copied.txt" };
  const lock = `<?xml version="1.0"?><D:lockinfo xmlns:D="DAV:"><D:lockscope><D:exclusive/>` +
    `</D:lockscope><D:locktype><D:write/></D:locktype></D:lockinfo>`;
  const patch = `<?xml version="1.0"?><D:propertyupdate xmlns:D="DAV:"><D:set><D:prop>` +
    `<x xmlns="urn:x">1</x></D:prop></D:set></D:propertyupdate>`;
  const tries: [string, string, Record<string, string>?, string?][] = [
    ["PUT", "/Photos/new.txt", {}, "x"],
    ["PUT", "/Photos/sea.jpg", {}, "x"],
    ["MKCOL", "/Photos/new"],
    ["DELETE", "/Photos/sea.jpg"],
    ["DELETE", "/Photos/"],
    ["MOVE", "/Photos/sea.jpg", { destination: "http://cubby.test/dav/Team/sea.jpg" }],
    ["COPY", "/Team/plan.txt", destination],
    ["MOVE", "/Team/plan.txt", destination],
    ["LOCK", "/Photos/sea.jpg", {}, lock],
    ["LOCK", "/", {}, lock],
    ["PROPPATCH", "/Photos/sea.jpg", {}, patch],
    ["MKCOL", "/Other"],
    ["PUT", "/top.txt", {}, "x"],
    ["MOVE", "/Team/", { destination: "http://cubby.test/dav/Crew/" }],
  ];
  for (const [method, path, headers, body] of tries) {
    await assertStatus(await dav(method, path, { headers, body }), 403, `${method} ${path}`);
  }
  assert.deepEqual(onDisk(), before);
});

Deno.test("read-only root inside a writable one: the outer root does not write in it either", async () => {
  const inner: NamedRoot = { name: "Archive", path: "/team/archive", readOnly: true };
  const { token } = await app.addUser("nested", { roots: [team, inner] });
  const before = onDisk();
  for (const [method, path, more] of writes("/Team/archive", "/Team/archive/old.txt")) {
    await assertRefused(await app.call(method, path, { token, ...more }), 403, "forbidden", path);
  }
  for (const action of ["rename&destination=/Team/moved"]) {
    const path = `/api/resources/Team/archive?action=${action}`;
    await assertRefused(await app.call("PATCH", path, { token }), 403, "forbidden", "the folder");
  }
  const gone = await app.call("DELETE", "/api/resources/Team/archive", { token });
  await assertRefused(gone, 403, "forbidden", "the folder that holds it");
  assert.deepEqual(onDisk(), before);
});

Deno.test("read-only root: nothing comes back into it from the trash, or by undo", async () => {
  const { token, user } = await app.addUser("late", { roots: [{ ...team, name: "Late" }] });
  await Deno.writeTextFile(join(app.root, "team", "late.txt"), "late");
  await Deno.writeTextFile(join(app.root, "team", "moved.txt"), "moved");
  const gone = await app.call("DELETE", "/api/resources/Late/late.txt?trash=true", { token });
  const trashed = gone.headers.get("content-location") ?? gone.headers.get("location");
  await gone.body?.cancel();
  const entries = [{ path: "/Late/moved.txt", destination: "/Late/there.txt" }];
  const job = await run({ action: "move", entries }, token);
  await app.cubby.users.update(user.id, { roots: [{ ...team, name: "Late", readOnly: true }] });
  const later = await app.tokenOf("late");
  const before = onDisk();
  assert.ok(before.some((path) => path.includes("there.txt")));
  const items = await (await app.call("GET", "/api/trash", { token: later })).json();
  const id = items.items[0].id;
  assert.ok(trashed === null || trashed.includes(id));
  const back = await app.call("POST", `/api/trash/${id}`, { token: later });
  await assertRefused(back, 403, "forbidden", "restore");
  const undone = await app.call("POST", `/api/jobs/${job.id}/undo`, { token: later });
  await undone.body?.cancel();
  if (undone.status < 300) await done(job.id, later);
  assert.deepEqual(onDisk(), before);
});

Deno.test("virtual top: nothing can be made in it, and no root moves, goes or is replaced", async () => {
  const before = onDisk();
  const tries: [string, string, CallOptions?][] = [
    ["POST", "/api/resources/new.txt", { body: "x" }],
    ["POST", "/api/resources/new/"],
    ["POST", "/api/resources/new/below.txt", { body: "x" }],
    ["POST", "/api/resources/Team/"],
    ["DELETE", "/api/resources/Team"],
    ["DELETE", "/api/resources/"],
    ["PATCH", "/api/resources/Team?action=rename&destination=/Crew"],
    ["PATCH", "/api/resources/Team/archive?action=copy&destination=/archive"],
    ["PATCH", "/api/resources/Team/archive?action=rename&destination=/Team&override=true"],
    ["POST", "/api/tus/new.txt", { headers: { "upload-length": "3" } }],
    ["POST", "/api/share/"],
    ["POST", "/api/request/", { json: {} }],
  ];
  for (const [method, path, more] of tries) {
    const answer = await call(method, path, more);
    const text = await answer.text();
    assert.ok(answer.status === 403 || answer.status === 409, `${method} ${path}: ${text}`);
  }
  assert.deepEqual(onDisk(), before);
});

Deno.test("between roots: neither dots nor links lead from one to another, or outside", async () => {
  const tries = [
    "/api/raw/Photos/cross.txt",
    "/api/raw/Photos/out/key.txt",
    "/api/resources/Photos/out/key.txt",
    "/api/raw/Team/cross.jpg",
    "/api/resources/Photos/out/",
  ];
  for (const path of tries) await assertRefused(await call("GET", path), 403, "forbidden", path);
  for (const dots of ["..%2fsecret%2fkey.txt", "%2e%2e/secret/key.txt", "..%2f..%2fsecret"]) {
    const answer = await call("GET", `/api/raw/Photos/${dots}`);
    const text = await answer.text();
    assert.ok(answer.status >= 400 && !text.includes("KEY"), `${dots}: ${text}`);
  }
  for (const path of ["/secret/key.txt", "/media/pics/sea.jpg", "/team/plan.txt"]) {
    await assertRefused(await call("GET", `/api/raw${path}`), 404, "not_found", path);
  }
});

Deno.test("another spelling of a root's name is none", async () => {
  for (const path of ["/photos/sea.jpg", "/PHOTOS/sea.jpg", "/Photos%20/sea.jpg"]) {
    await assertRefused(await call("GET", `/api/raw${path}`), 404, "not_found", path);
    await assertRefused(
      await call("POST", `/api/resources${path}`, { body: "x" }),
      403,
      "forbidden",
      path,
    );
  }
});

Deno.test("a rule that names a root denies it by every call, and is no rule of another", async () => {
  const rules = [deny("/Photos"), deny("/Team/archive")];
  const { token } = await app.addUser("ruled", { roots: [photos, team], rules });
  for (
    const path of [
      "/api/resources/Photos/",
      "/api/raw/Photos/sea.jpg",
      "/api/search/Photos/?query=sea",
    ]
  ) {
    await assertRefused(await app.call("GET", path, { token }), 403, "forbidden", path);
  }
  await assertRefused(
    await app.call("GET", "/api/raw/Team/archive/old.txt", { token }),
    403,
    "forbidden",
  );
  assert.deepEqual(await names("/", token), ["Team"]);
  assert.ok(!(await names("/Team/", token)).includes("archive"));
  const found = await (await app.call("GET", "/api/search/?query=sea", { token })).text();
  assert.ok(!found.includes("sea.jpg"), found);
});

Deno.test("a root whose folder is swapped for a link is behind a link: nothing of it is reached", async () => {
  const { token } = await app.addUser("swapped", {
    roots: [{ name: "Swap", path: "/swap", readOnly: false }],
  });
  const [swap, kept] = [join(app.root, "swap"), join(app.root, "swap.kept")];
  await Deno.mkdir(swap);
  assert.deepEqual(await names("/Swap/", token), []);
  await Deno.rename(swap, kept);
  await Deno.symlink("secret", swap);
  for (const path of ["/api/raw/Swap/key.txt", "/api/resources/Swap/"]) {
    await assertRefused(await app.call("GET", path, { token }), 403, "forbidden", path);
  }
  const put = await app.call("POST", "/api/resources/Swap/new.txt", { token, body: "x" });
  await assertRefused(put, 403, "forbidden");
  assert.deepEqual(await names("/", token), [], "it is not listed");
  assert.deepEqual([...Deno.readDirSync(join(app.root, "secret"))].length, 1);
  await Deno.remove(swap);
  await Deno.remove(kept);
});

Deno.test("a race that swaps a root's folder for a link reads no other file", async () => {
  const { token } = await app.addUser("racer", {
    roots: [{ name: "Race", path: "/race", readOnly: false }],
  });
  const [race, other] = [join(app.root, "race"), join(app.root, "race.link")];
  await Deno.mkdir(race);
  await Deno.symlink("secret", other);
  const spare = join(app.root, "race.spare");
  let isOver = false;
  const swapping = (async () => {
    while (!isOver) {
      await Deno.rename(race, spare);
      await Deno.rename(other, race);
      await Deno.rename(race, other);
      await Deno.rename(spare, race);
    }
  })();
  try {
    for (let count = 0; count < 150; count++) {
      const answer = await app.call("GET", "/api/raw/Race/key.txt", { token });
      const text = await answer.text();
      assert.ok(answer.status === 403 || answer.status === 404, text);
    }
  } finally {
    isOver = true;
    await swapping;
  }
  await Deno.remove(other);
  await Deno.remove(race);
});

Deno.test("a root that is taken away ends sessions, watches and shares", async () => {
  const { token, user } = await app.addUser("leaver", { roots: [photos, team] });
  const shared = await app.call("POST", "/api/share/Team/plan.txt", { token, json: {} });
  assert.equal(shared.status, 200, await shared.clone().text());
  const { hash } = await shared.json();
  await assertStatus(await app.call("GET", `/api/public/dl/${hash}`), 200);
  const headers = { accept: "application/json", "x-auth": token };
  await using watching = follow(await fetch(`${url}/api/watch/Team/`, { headers }));
  assert.equal(await watching.next(), "ready");
  await app.cubby.users.update(user.id, { roots: [photos] });
  await assertRefused(
    await app.call("GET", "/api/raw/Team/plan.txt", { token }),
    401,
    "not_signed_in",
  );
  const later = await app.tokenOf("leaver");
  await assertRefused(
    await app.call("GET", "/api/raw/Team/plan.txt", { token: later }),
    404,
    "not_found",
  );
  const visit = await app.call("GET", `/api/public/dl/${hash}`);
  await assertRefused(visit, 404, "not_found", "the share");
  assert.equal(await watching.next(), null);
});

Deno.test("a token that is bound to a folder of a root reaches no other root", async () => {
  const draft = { name: "x", write: true, share: false, expires: null };
  const place = app.cubby.gate.enter({
    ...{ scope: "/", rules: [], hideDotfiles: false, perm: anna.user.perm },
  }).stat("/team/archive" as never);
  const bound = app.cubby.gate.enter({
    ...{ scope: "/", rules: [], hideDotfiles: false, perm: anna.user.perm },
  }).placeOf(place);
  const { secret } = await app.cubby.apiTokens.create(anna.user.id, draft, bound);
  await assertStatus(
    await app.call("GET", "/api/raw/Team/archive/old.txt", { token: secret }),
    200,
  );
  for (const path of ["/Photos/sea.jpg", "/Team/plan.txt"]) {
    const answer = await app.call("GET", `/api/raw${path}`, { token: secret });
    await assertRefused(answer, 403, "forbidden", path);
  }
});

Deno.test("users who are no administrators give themselves no roots", async () => {
  const json = {
    what: "user",
    which: ["roots"],
    data: { roots: [{ name: "All", path: "/", readOnly: false }] },
  };
  await assertRefused(await call("PUT", `/api/users/${anna.user.id}`, { json }), 403, "forbidden");
});

Deno.test("roots that cannot be told apart, or are no folder's names, are refused", async () => {
  const token = await app.tokenOf("admin");
  const lists: unknown[] = [
    [photos, { ...team, name: "PHOTOS" }],
    [photos, { ...team, path: "/Media/Pics" }],
    ...["", " ", ".", "..", "a/b", ".hidden", "a\\b", "x".repeat(101)].map((
      name,
    ) => [{ ...team, name }]),
    [{ ...team, path: "/../etc" }],
    [{ name: "x" }],
    "Photos",
  ];
  for (const roots of lists) {
    const json = { what: "user", which: ["roots"], data: { roots } };
    const answer = await app.call("PUT", `/api/users/${anna.user.id}`, { token, json });
    await assertStatus(answer, 400, JSON.stringify(roots));
  }
});

Deno.test("the top lists the roots, and what is in them is found, told and sent as anywhere", async () => {
  assert.deepEqual(await names("/"), ["Photos", "Team"]);
  assert.ok((await names("/Photos/")).includes("sea.jpg"));
  await assertStatus(await call("GET", "/api/raw/Photos/sea.jpg"), 200);
  const found = await (await call("GET", "/api/search/?query=plan")).text();
  assert.match(found, /Team\/plan\.txt/);
  const deep = await (await call("GET", "/api/search/?query=in.txt")).text();
  assert.match(deep, /Photos\/sub\/in\.txt/);
  const archive = await call("GET", "/api/raw/?algo=tar");
  assert.equal(archive.status, 200);
  const bytes = await archive.text();
  assert.ok(bytes.includes("Photos/sub/in.txt") && bytes.includes("Team/plan.txt"));
  assert.ok(!bytes.includes("KEY"));
  const size = await (await call("GET", "/api/size/")).json();
  assert.ok(size.files >= 4 && size.unreadable === 0, JSON.stringify(size));
  await assertStatus(await call("GET", "/api/usage/"), 200);
  await assertStatus(await call("GET", "/api/usage/Team/"), 200);
  const dav = await davClient(app, "anna")("PROPFIND", "/", { headers: { depth: "1" } });
  assert.deepEqual(hrefsOf(await dav.text()), ["/dav/", "/dav/Photos/", "/dav/Team/"]);
  for (const path of ["/", "/Team/"]) {
    const headers = { accept: "application/json", "x-auth": anna.token };
    await using watching = follow(await fetch(`${url}/api/watch${path}`, { headers }));
    assert.equal(await watching.next(), "ready", path);
  }
  assert.equal((await call("GET", "/files/", { headers: { accept: "text/html" } })).status, 200);
});

Deno.test("entries go from root to root, into the trash and back", async () => {
  const { token } = await app.addUser("mover", {
    roots: [{ name: "A", path: "/team/inbox", readOnly: false }, {
      name: "B",
      path: "/media/other",
      readOnly: false,
    }],
  });
  const send = (method: string, path: string, more: CallOptions = {}) =>
    app.call(method, path, { token, ...more });
  await assertStatus(await send("POST", "/api/resources/A/deep/new.txt", { body: "new" }), 200);
  await assertStatus(
    await send("PATCH", "/api/resources/A/deep?action=copy&destination=/B/deep"),
    200,
  );
  await assertStatus(
    await send("PATCH", "/api/resources/A/deep/new.txt?action=rename&destination=/B/n.txt"),
    200,
  );
  assert.equal(await Deno.readTextFile(join(app.root, "media/other/n.txt")), "new");
  assert.deepEqual(await names("/A/deep/", token), []);
  await assertStatus(await send("DELETE", "/api/resources/B/n.txt?trash=true"), 200);
  const { items: [item] } = await (await send("GET", "/api/trash")).json();
  assert.equal(item.path, "/B/n.txt");
  await assertStatus(await send("POST", `/api/trash/${item.id}`), 200);
  assert.equal(await Deno.readTextFile(join(app.root, "media/other/n.txt")), "new");
  const starred = await send("PUT", "/api/favorites/B/n.txt");
  assert.ok(starred.status < 300, await starred.text());
  assert.match(await (await send("GET", "/api/favorites")).text(), /\/B\/n\.txt/);
});
