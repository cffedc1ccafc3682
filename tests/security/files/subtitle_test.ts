import assert from "node:assert/strict";
import { join } from "node:path";
import { setImmediate } from "node:timers/promises";
import { startApp } from "../../support/server/app.ts";
import { assertRefused, assertStatus } from "../../support/server/refused.ts";
import { deny } from "../../support/data/rules.ts";

const cue = "1\n00:00:01,000 --> 00:00:02,000\nsecret words\n";
const app = await startApp({
  tree: {
    "film.srt": cue,
    "denied.srt": cue,
    ".hidden": { "film.srt": cue },
    home: { al: { "film.srt": cue }, bo: { "film.srt": cue } },
  },
});
Deno.test.afterAll(app.close);

Deno.test("subtitles that are denied, hidden or outside are refused alike, there or not", async () => {
  const user = { rules: [deny("/denied.srt"), deny("/gone.srt")], hideDotfiles: true };
  const { token } = await app.addUser("under rules", user);
  for (const path of ["/denied.srt", "/gone.srt", "/.hidden/film.srt", "/.none/film.srt"]) {
    for (const method of ["GET", "HEAD"]) {
      const answer = await app.call(method, `/api/subtitle${path}`, { token });
      if (method === "GET") await assertRefused(answer, 403, "forbidden", path);
      else assert.equal(answer.status, 403, path);
    }
  }
});

Deno.test("subtitles behind a link that leads out are not converted", async () => {
  const { token } = await app.addUser("al", { scope: "/home/al" });
  Deno.symlinkSync("../bo/film.srt", join(app.root, "home/al/out.srt"));
  Deno.symlinkSync("../bo", join(app.root, "home/al/subs"));
  for (const path of ["/out.srt", "/subs/film.srt"]) {
    const answer = await app.call("GET", `/api/subtitle${path}`, { token });
    await assertRefused(answer, 403, "forbidden", path);
  }
});

Deno.test("a video names no subtitles that its viewer may not know of", async () => {
  Deno.writeTextFileSync(join(app.root, "home/al/film.mkv"), "");
  const { token } = await app.addUser("al too", { scope: "/home/al" });
  const answer = await app.call("GET", "/api/resources/film.mkv", { token });
  assert.deepEqual((await answer.json()).subtitles, ["/film.srt"]);
});

Deno.test("subtitles can't put a cue, a script or a style of their own into the answer", async () => {
  const attack = [
    "1\n00:00:01,000 --> 00:00:02,000",
    "<script>alert(1)</script>",
    "x\u2028\u202900:00:03.000 --> 00:00:04.000",
    "<b onclick=alert(1)>bold</b> <img src=x onerror=alert(1)>",
    "STYLE",
    "::cue { background: url(//evil.test) }",
  ].join("\n");
  Deno.writeTextFileSync(join(app.root, "attack.srt"), attack);
  const token = await app.tokenOf("admin");
  const text = await (await app.call("GET", "/api/subtitle/attack.srt", { token })).text();
  assert.equal(text.match(/-->/g)?.length, 1);
  assert.deepEqual(text.match(/<[^>]*>/g), ["<b>", "</b>"]);
  assert.equal(text.split("\n\n").length, 2, "nothing but the header and one cue");
});

Deno.test("subtitles made to be slow hold nobody up", async () => {
  const time = "00:00:01,000 --> 00:00:02,000";
  const bombs = [
    `${time}\n${"<".repeat(5_000_000)}`,
    `[Events]\nDialogue: 0,0:00:01.00,0:00:02.00,,,,,,,${"{\\i1}".repeat(1_000_000)}`,
    `${`${time}\n`.repeat(300_000)}`,
  ];
  const token = await app.tokenOf("admin");
  for (const [index, bomb] of bombs.entries()) {
    Deno.writeTextFileSync(join(app.root, `bomb${index}.srt`), bomb);
  }
  let isOver = false;
  const all = Promise.all(bombs.map(async (_, index) => {
    const answer = await app.call("GET", `/api/subtitle/bomb${index}.srt`, { token });
    assert.equal(answer.status, 200);
    await answer.body?.cancel();
  })).finally(() => isOver = true);
  let longest = 0;
  while (!isOver) {
    const start = performance.now();
    await assertStatus(await app.call("GET", "/health"), 200);
    // That answer waits for nothing: without a turn for others they would never go on.
    await setImmediate();
    longest = Math.max(longest, performance.now() - start);
  }
  await all;
  assert(longest < 10_000, `others waited for ${longest} ms`);
});
