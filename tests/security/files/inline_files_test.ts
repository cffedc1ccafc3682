import assert from "node:assert/strict";
import { startApp } from "../../support/server/app.ts";
import { assertRefused, assertStatus } from "../../support/server/refused.ts";

const script = "<script>document.title='ran'</script>";
const active = ["page.html", "page.HTM", "page.xhtml", "drawing.svg", "data.xml", "feed.rss"];
active.push("archive.mht", "unknown", "style.css", "code.js", "notes.md", "notes.markdown");
const app = await startApp({
  tree: {
    ...Object.fromEntries(active.map((name) => [name, script])),
    "paper.pdf": "%PDF-1.4",
    "film.mp4": "",
  },
});
Deno.test.afterAll(app.close);
const token = await app.tokenOf("admin");
const get = (path: string, headers: Record<string, string> = {}) =>
  app.call("GET", `/api/raw/${path}?inline=true`, { token, headers });

Deno.test("an uploaded page, drawing or document runs nothing when it is opened", async () => {
  for (const name of active) {
    const answer = await get(name);
    assert.equal(answer.status, 200, name);
    const directives = (answer.headers.get("content-security-policy") ?? "").split("; ");
    assert.ok(directives.includes("sandbox"), name);
    assert.ok(directives.includes("default-src 'none'"), name);
    assert.doesNotMatch(directives.join(), /script-src|allow-scripts|unsafe-eval/);
    assert.equal(answer.headers.get("x-content-type-options"), "nosniff");
    await answer.body?.cancel();
  }
});

Deno.test("what a share hands out to strangers is as sandboxed as what its owner opens", async () => {
  const made = await app.call("POST", "/api/share/", { token, json: {} });
  const { hash } = await made.json();
  for (const name of active) {
    const path = `/api/public/dl/${hash}/${name}?inline=true`;
    const answer = await app.call("GET", path);
    assert.equal(answer.status, 200, name);
    assert.match(answer.headers.get("content-security-policy") ?? "", /^sandbox; default-src/);
    await answer.body?.cancel();
    const script = await app.call("GET", path, { headers: { "sec-fetch-dest": "script" } });
    await assertRefused(script, 403, "forbidden", name);
  }
});

Deno.test("a range or a conditional answer of such a file is as sandboxed as the whole", async () => {
  const whole = await get("page.html");
  await whole.body?.cancel();
  const etag = whole.headers.get("etag") ?? "";
  for (const [name, value] of [["range", "bytes=0-3"], ["if-none-match", etag]] as const) {
    const answer = await get("page.html", { [name]: value });
    assert.match(answer.headers.get("content-security-policy") ?? "", /^sandbox; default-src/);
    await answer.body?.cancel();
  }
});

Deno.test("without inline=true a browser is told to save the file", async () => {
  for (const query of ["", "?inline=1", "?inline=false", "?inline"]) {
    const answer = await app.call("GET", `/api/raw/page.html${query}`, { token });
    assert.match(answer.headers.get("content-disposition") ?? "", /^attachment; /, query);
    await answer.body?.cancel();
  }
});

Deno.test("an uploaded file is not handed out as a script, style or worker of a page", async () => {
  for (const destination of ["script", "style", "worker", "serviceworker", "manifest", "xslt"]) {
    const answer = await get("code.js", { "sec-fetch-dest": destination });
    await assertRefused(answer, 403, "forbidden", destination);
  }
  for (const destination of ["document", "iframe", "image", "video", "empty"]) {
    await assertStatus(await get("code.js", { "sec-fetch-dest": destination }), 200, destination);
  }
});

Deno.test("a PDF and a film open in the browser's own viewers, without scripts of a page", async () => {
  for (const name of ["paper.pdf", "film.mp4"]) {
    const answer = await get(name);
    const policy = answer.headers.get("content-security-policy") ?? "";
    assert.match(policy, /^sandbox allow-same-origin allow-scripts; default-src 'none';/);
    assert.match(answer.headers.get("content-type") ?? "", /^(application\/pdf|video\/mp4)$/);
    await answer.body?.cancel();
  }
});
