import assert from "node:assert/strict";
import { makeFilms, packetsOf } from "../../support/data/films.ts";
import { ensureMediaPrograms } from "../../support/disks/media_programs.ts";
import { startApp } from "../../support/server/app.ts";

await ensureMediaPrograms();
const films = await makeFilms();
const app = await startApp({
  config: { disableMediaPrograms: false, videoEncoder: "h264_vaapi" },
  tree: { "old.mkv": films["old.mkv"], "copied.mkv": films["copied.mkv"], "lie.mkv": "no film" },
});
Deno.test.afterAll(app.close);
const token = await app.tokenOf("admin");
const get = (path: string) => app.call("GET", `/api/stream/${path}`, { token });
// Starts the host of ffmpeg before the tests, which must not leave a process behind.
await (await get("info/old.mkv")).body?.cancel();

/** The pictures of the first segments of a film. */
async function watch(name: string, count: number) {
  const parts: Uint8Array<ArrayBuffer>[] = [];
  for (const segment of ["init", ...Array(count).keys()]) {
    const answer = await get(`hls/${name}?video=480&segment=${segment}`);
    assert.equal(answer.status, 200, answer.ok ? "" : await answer.clone().text());
    parts.push(await answer.bytes());
  }
  return await packetsOf(await new Blob(parts).bytes(), "v");
}

Deno.test({
  name: "without a device for its encoder a film is converted by libx264, and the log says so once",
  // Conversions outlast it: they wait for their viewers.
  sanitizeOps: false,
  sanitizeResources: false,
  async fn() {
    for (const name of ["old.mkv", "copied.mkv"]) {
      const { codec, height, times, keys } = await watch(name, 3);
      assert.deepEqual([codec, height, keys.length], ["h264", 180, 3]);
      assert.ok(times.length > 60 && times.length < 80, `${times.length} pictures`);
    }
    const told = () => app.log.lines.filter((line) => line.includes("h264_vaapi"));
    // A server of its own writes its log a moment later.
    for (let tries = 0; told().length === 0 && tries < 200; tries++) {
      await new Promise((resolve) => setTimeout(resolve, 10));
    }
    assert.equal(told().length, 1, app.log.lines.join("\n"));
    assert.match(told()[0] ?? "", /Media: h264_vaapi failed, libx264 converts all videos instead/);
  },
});
