import assert from "node:assert/strict";
import { join } from "node:path";
import { startApp } from "../../support/server/app.ts";

const many = Object.fromEntries(Array.from({ length: 700 }, (_, index) => [`file ${index}`, ""]));
const app = await startApp({ tree: { many } });
Deno.test.afterAll(app.close);
const { url } = app.listen();
const admin = await app.tokenOf("admin");

async function shareOf(path: string): Promise<string> {
  const answer = await app.call("POST", `/api/share${path}`, { token: admin, json: {} });
  return (await answer.json()).hash;
}

async function open(address: string): Promise<string> {
  const answer = await app.call("GET", address);
  const html = await answer.text();
  assert.equal(answer.status, 200, html);
  return html;
}

Deno.test("share: no address has the server make a page of all that a large folder holds", async () => {
  const page = `/share/${await shareOf("/many")}`;
  const names = new Set<string>();
  for (let query: string | undefined = "?show=999999999"; query !== undefined;) {
    const html = await open(page + query);
    const shown = [...html.matchAll(/name="files" value="([^"]+)"/g)].map(([, name = ""]) => name);
    assert.ok(shown.length <= 500, `${shown.length} rows at once`);
    for (const name of shown) names.add(name);
    query = /href="(\?[^"]*)"/.exec(html)?.[1]?.replaceAll("&amp;", "&");
  }
  assert.equal(names.size, 700, "page by page, everything is there");
});

Deno.test("share: a long text is offered, and not made a page of", async () => {
  const line = "<a line of text & more>\n";
  await Deno.writeTextFile(join(app.root, "long.txt"), line.repeat(50_000));
  await Deno.writeTextFile(join(app.root, "short.txt"), line.repeat(2));
  const long = await open(`/share/${await shareOf("/long.txt")}`);
  assert.ok(long.length < 100_000 && !long.includes("a line of text"));
  assert.match(long, /href="\/api\/public\/dl\//);
  assert.match(await open(`/share/${await shareOf("/short.txt")}`), /a line of text/);
});

Deno.test("share: a large folder is told of whole, with what the share adds", async () => {
  const hash = await shareOf("/many");
  const told = await (await fetch(`${url}/api/public/share/${hash}`)).json();
  assert.deepEqual([told.hash, told.token, told.name], [hash, "", "many"]);
  assert.equal(told.items.length, 700);
});
