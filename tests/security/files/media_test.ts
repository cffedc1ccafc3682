import assert from "node:assert/strict";
import { join } from "node:path";
import { startApp } from "../../support/server/app.ts";
import { makeMedia } from "../../support/data/media_files.ts";
import { paper } from "../../support/data/media.ts";
import { quarters } from "../../support/data/pictures.ts";
import { deny } from "../../support/data/rules.ts";
import { assertRefused, assertStatus } from "../../support/server/refused.ts";

const made = await makeMedia();
const photo = await quarters(300, 300).jpeg().toBuffer();
let callers = 0;
const trap = Deno.serve({ hostname: "127.0.0.1", port: 0, onListen() {} }, () => {
  callers++;
  return new Response(made.film);
});
const { port } = trap.addr;
Deno.test.afterAll(() => trap.shutdown());

const playlist = (address: string) =>
  `#EXTM3U\n#EXT-X-TARGETDURATION:5\n#EXTINF:5,\n${address}\n#EXT-X-ENDLIST\n`;
const app = await startApp({
  config: { disableMediaPrograms: false },
  tree: {
    home: {
      "film.mp4": made.film,
      "paper.pdf": paper("Hello"),
      album: { "a.jpg": photo },
      denied: { "a.jpg": photo, "film.mp4": made.film },
    },
    other: { "film.mp4": made.film, "secret.txt": "a secret" },
  },
});
Deno.test.afterAll(app.close);
const token = await app.tokenOf("admin");
const get = (path: string, as = token) => app.call("GET", `/api${path}`, { token: as });
// Starts the host of the programs before the tests, which must not leave a process behind.
await assertStatus(await get("/preview/thumb/home/film.mp4"), 200);

const others = [
  `http://127.0.0.1:${port}/film.mp4`,
  `tcp://127.0.0.1:${port}`,
  `file://${app.root}/other/film.mp4`,
  `${app.root}/other/film.mp4`,
  "/etc/passwd",
  "file:///proc/self/environ",
  `concat:${app.root}/other/film.mp4|/etc/passwd`,
  `subfile,,start,0,end,0,,:${app.root}/other/film.mp4`,
];

Deno.test("a playlist that calls itself a video opens no other file and no address", async () => {
  const kinds: ((address: string) => string)[] = [
    playlist,
    (address) => `ffconcat version 1.0\nfile '${address}'\n`,
    (address) =>
      `<?xml version="1.0"?><MPD xmlns="urn:mpeg:dash:schema:mpd:2011"><Period><AdaptationSet>` +
      `<Representation id="1"><BaseURL>${address}</BaseURL></Representation></AdaptationSet>` +
      `</Period></MPD>`,
    () => `v=0\no=- 0 0 IN IP4 127.0.0.1\nc=IN IP4 127.0.0.1\nm=video ${port} RTP/AVP 96\n`,
  ];
  const names = ["mp4", "m2ts", "avi", "mkv"];
  const texts = [...others.map(playlist), ...kinds.map((make) => make(others[0] ?? ""))];
  await Promise.all(texts.map(async (text, index) => {
    const name = `list ${index}.${names[index % names.length]}`;
    await Deno.writeTextFile(join(app.root, "home", name), text);
    const answer = await get(`/preview/big/home/${encodeURIComponent(name)}`);
    await assertRefused(answer, 501, "not_supported", text);
  }));
  assert.equal(callers, 0, "no address was opened");
});

Deno.test("a QuickTime file that refers to another one does not show it", async () => {
  // The reference to the data lies in the box "dref": an alias instead of "in this file".
  const text = new TextDecoder("latin1").decode(made.film);
  const at = text.indexOf("dref") + 12;
  const film = made.film.slice();
  new DataView(film.buffer).setUint32(at + 8, 0);
  film.set(new TextEncoder().encode("alis"), at + 4);
  await Deno.writeFile(join(app.root, "home", "ref.mov"), film);
  const answer = await get("/preview/thumb/home/ref.mov");
  assert.ok([200, 501].includes(answer.status));
  assert.doesNotMatch(await answer.text(), /secret|root:/);
  assert.equal(callers, 0);
});

Deno.test("a PDF that refers to files and addresses shows none of them", async () => {
  const pdf = (extra: string) =>
    paper("Hello").replace("/MediaBox", `${extra}/MediaBox`).replace(
      "/Type/Catalog",
      `/Type/Catalog/OpenAction<</S/URI/URI(http://127.0.0.1:${port}/)>>`,
    );
  const stream = `/Annots[<</Type/Annot/Subtype/FileAttachment/Rect[0 0 9 9]/FS<</Type/Filespec` +
    `/F(${app.root}/other/secret.txt)/UF(/etc/passwd)>>>>]`;
  await Deno.writeTextFile(join(app.root, "home", "ref.pdf"), pdf(stream));
  const answer = await get("/preview/big/home/ref.pdf");
  await assertStatus(answer, 200);
  const facts = await (await get("/media/home/ref.pdf")).text();
  assert.equal(facts, '{"pages":1}');
  assert.equal(callers, 0);
});

Deno.test("a page as large as a field is drawn small, and an endless one not at all", async () => {
  const huge = paper("Hello").replace("0 0 300 200", "0 0 9000000 9000000");
  await Deno.writeTextFile(join(app.root, "home", "huge.pdf"), huge);
  const answer = await get("/preview/big/home/huge.pdf");
  assert.ok([200, 501].includes(answer.status));
  await answer.body?.cancel();
  const circle = paper("Hello").replace("/Kids[3 0 R]", "/Kids[2 0 R]");
  await Deno.writeTextFile(join(app.root, "home", "circle.pdf"), circle);
  await assertStatus(await get("/preview/big/home/circle.pdf"), 501);
});

Deno.test("previews, facts and hashes in the cache are not for those who may not see the file", async () => {
  const { token: bea } = await app.addUser("bea", { scope: "/home", rules: [deny("/denied")] });
  const { token: dan } = await app.addUser("dan", { scope: "/home", perm: { download: false } });
  for (const path of ["/preview/thumb/home/denied/film.mp4", "/media/home/denied/film.mp4"]) {
    await assertStatus(await get(path), 200);
    await assertRefused(await get(path.replace("/home", ""), bea), 403, "forbidden");
    await assertRefused(await get(path.replace("/home/denied", ""), dan), 403, "forbidden");
  }
  await assertStatus(await get("/preview/thumb/home/denied"), 200);
  await assertRefused(await get("/preview/thumb/denied", bea), 403, "forbidden");
  await assertRefused(await get("/preview/thumb/album", dan), 403, "forbidden");
  const paths = ["/denied/film.mp4", "/denied/a.jpg", "/../other/film.mp4", "/film.mp4"];
  const told = await app.call("POST", "/api/thumbhashes", {
    token: bea,
    json: { paths: paths.filter((path) => !path.includes("..")) },
  });
  assert.deepEqual(Object.keys((await told.json()).hashes), ["/film.mp4"]);
});

Deno.test("a link to a video or a folder outside of the scope has no preview and no facts", async () => {
  const { token: eve } = await app.addUser("eve", { scope: "/home" });
  Deno.symlinkSync("../other/film.mp4", join(app.root, "home", "link.mp4"));
  Deno.symlinkSync("../other", join(app.root, "home", "away"));
  await assertStatus(await get("/preview/thumb/other/film.mp4"), 200);
  for (const path of ["link.mp4", "away/film.mp4", "away"]) {
    await assertRefused(await get(`/preview/thumb/${path}`, eve), 403, "forbidden", path);
    await assertRefused(await get(`/media/${path}`, eve), 403, "forbidden", path);
  }
});
