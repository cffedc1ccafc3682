import assert from "node:assert/strict";
import { join } from "node:path";
import type { ProgramEnd } from "../../../lib/server/features/commands/protocol.ts";
import { SERVER } from "../../../lib/server/core/access/viewer.ts";
import { parsePath } from "../../../lib/shared/path.ts";
import { eventually } from "../../support/browser/listing.ts";
import { filesBelow, plant, temporaryFolder } from "../../support/disks/files.ts";
import { startApp } from "../../support/server/app.ts";
import { assertRefused, assertStatus } from "../../support/server/refused.ts";
import { never, type ProgramReply, startProgramHost } from "../../support/services/program_host.ts";

const pdf = "%PDF-1.7\nslides\n%%EOF";
const made: ProgramReply = { output: pdf, end: { status: 0 } };
const host = await startProgramHost(made);
const { runs } = host;

const app = await startApp({
  inProcess: true,
  config: { readerHost: host.readerHost },
  tree: {
    "talk.pptx": "slides",
    "broken.odt": "broken",
    "endless.odp": "endless",
    "left.doc": "left",
    "empty.ods": "",
    "letter.docx": "a letter",
    "notes.txt": "a text",
    "--o'd \"d$(x).odt": "odd",
    "folder.odp": {},
  },
});
const plain = await startApp({
  inProcess: true,
  config: { disableMediaPrograms: true },
  tree: { "talk.pptx": "slides" },
});
Deno.test.afterAll(async () => {
  await app.close();
  await plain.close();
  await host[Symbol.asyncDispose]();
});
const token = await app.tokenOf("admin");
const get = (path: string, headers?: Record<string, string>) => {
  const [name = "", query] = path.split("?");
  const address = `/api/preview/pdf/${encodeURIComponent(name)}${query ? `?${query}` : ""}`;
  return app.call("GET", address, { token, headers });
};

Deno.test("a PDF of a document is refused to those who may not read it", async () => {
  runs.length = 0;
  await assertRefused(await app.call("GET", "/api/preview/pdf/talk.pptx"), 401, "not_signed_in");
  const { token: weak } = await app.addUser("quin", { perm: { download: false } });
  const answer = await app.call("GET", "/api/preview/pdf/talk.pptx", { token: weak });
  await assertRefused(answer, 403, "forbidden");
  const ruled = await app.addUser("ruth", {
    rules: [{ regex: false, allow: false, path: "/talk.pptx", regexp: { raw: "" } }],
  });
  const hidden = await app.call("GET", "/api/preview/pdf/talk.pptx", { token: ruled.token });
  await hidden.body?.cancel();
  assert.ok(hidden.status === 403 || hidden.status === 404);
  await assertRefused(await get("none.odt"), 404, "not_found");
  assert.deepEqual(runs, []);
});

Deno.test("a PDF is made of Office documents alone, not of empty or huge ones", async () => {
  runs.length = 0;
  using huge = await Deno.open(join(app.root, "huge.odp"), { create: true, write: true });
  await huge.truncate(300 * 2 ** 20);
  for (
    const name of ["notes.txt", "letter.docx", "empty.ods", "huge.odp", "folder.odp"]
  ) {
    await assertRefused(await get(name), 501, "not_supported", name);
  }
  assert.deepEqual(runs, []);
});

Deno.test("a PDF is made of an older document with the name of a newer one", async () => {
  const content = Uint8Array.of(0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1);
  for (const name of ["old.docx", "old.xlsx"]) {
    Deno.writeFileSync(join(app.root, name), content);
    const answer = await get(name);
    assert.equal(answer.status, 200, name);
    assert.equal(answer.headers.get("content-type"), "application/pdf");
    await answer.body?.cancel();
  }
});

Deno.test("without LibreOffice a document has no PDF", async () => {
  const user = await plain.tokenOf("admin");
  const answer = await plain.call("GET", "/api/preview/pdf/talk.pptx", { token: user });
  const message = await assertRefused(answer, 501, "not_supported");
  assert.match(message, /LibreOffice/);
});

Deno.test("a PDF is made once for a state of a document, and sent inline", async () => {
  runs.length = 0;
  await plant(app.root, { "once.pptx": "slides" });
  const answers = await Promise.all([get("once.pptx"), get("once.pptx")]);
  for (const answer of answers) assert.equal(await answer.text(), pdf);
  const [first] = answers;
  assert.equal(first?.headers.get("content-type"), "application/pdf");
  assert.match(first?.headers.get("content-disposition") ?? "", /^inline; filename="once.pdf"/);
  assert.match(first?.headers.get("content-security-policy") ?? "", /^sandbox/);
  const etag = first?.headers.get("etag") ?? "";
  await assertStatus(await get("once.pptx", { "if-none-match": etag }), 304);
  assert.equal(runs.length, 1);
  assert.equal(runs[0]?.extension, ".pptx");

  await plant(app.root, { "once.pptx": "other slides" });
  await assertStatus(await get("once.pptx"), 200);
  assert.equal(runs.length, 2, "another state gives another PDF");
});

Deno.test("processes share the PDFs in the cache, which has a bound and nothing half written", async () => {
  runs.length = 0;
  await using place = await temporaryFolder();
  const [root, cacheDir] = ["root", "cache"].map((name) => join(place.path, name)) as [
    string,
    string,
  ];
  const cached = join(cacheDir, "papers");
  Deno.mkdirSync(cached, { recursive: true });
  await plant(cached, { "00": { "used long ago": "", "left by a crash.part": "" } });
  Deno.truncateSync(join(cached, "00/used long ago"), 2 ** 30);
  for (const name of filesBelow(cached)) Deno.utimeSync(join(cached, name), 1, 1);
  const options = { inProcess: true, config: { readerHost: host.readerHost, root, cacheDir } };
  await using one = await startApp({ ...options, tree: { "kept.odp": "slides" } });
  await using other = await startApp(options);
  const pdfFrom = async (from: typeof app) => {
    const [path, token] = ["/api/preview/pdf/kept.odp", await from.tokenOf("admin")];
    return await (await from.call("GET", path, { token })).text();
  };
  assert.deepEqual([await pdfFrom(one), await pdfFrom(other)], [pdf, pdf]);
  assert.equal(runs.length, 1);
  const kept = filesBelow(cached);
  assert.deepEqual(kept.map((name) => Deno.readTextFileSync(join(cached, name))), [pdf]);

  Deno.writeTextFileSync(join(cached, kept[0] ?? ""), "damaged");
  assert.deepEqual([await pdfFrom(one), await pdfFrom(other)], [pdf, pdf]);
  assert.equal(runs.length, 2);
});

Deno.test("an odd name reaches no command line", async () => {
  runs.length = 0;
  await assertStatus(await get("--o'd \"d$(x).odt"), 200);
  assert.deepEqual(Object.keys(runs[0] ?? {}).sort(), ["descriptor", "extension", "recipe"]);
  assert.equal(runs[0]?.extension, ".odt");
});

Deno.test("a document that LibreOffice cannot convert is not tried again, and its flaw is named", async () => {
  runs.length = 0;
  const flawOf = async (name: string) => {
    const answer = await get(`${name}?optional=true`);
    await assertStatus(answer, 204);
    return answer.headers.get("preview-refusal");
  };
  host.next = { output: "", end: { status: 1 } };
  await assertRefused(await get("broken.odt"), 501, "not_supported");
  assert.match(await assertRefused(await get("broken.odt"), 501, "not_supported"), /damaged/);
  assert.equal(await flawOf("broken.odt"), "damaged");
  assert.equal(runs.length, 1);
  const limited: [string, ProgramEnd][] = [
    ["endless.odp", { status: 137, stopped: "time" }],
    ["large.odp", { status: 137, stopped: "output" }],
    // By the kernel: for the processor's time, for the size of a file, and without memory.
    ["hot.odp", { status: 137 }],
    ["long.odp", { status: 153 }],
    ["full.odp", { status: 134 }],
  ];
  for (const [name, end] of limited) {
    await plant(app.root, { [name]: "a document" });
    host.next = { output: "", end };
    assert.match(
      await assertRefused(await get(name), 501, "not_supported"),
      /time, memory or disk/,
    );
    host.next = made;
    assert.equal(await flawOf(name), "limits", name);
  }
  assert.equal(runs.length, 1 + limited.length);
  await app.later(11 * 60_000, async () => await assertStatus(await get("endless.odp"), 200));
});

Deno.test("a document is tried again where LibreOffice could not be run", async () => {
  host.next = { output: "", end: { status: 125, failure: "no room for its folder" } };
  await plant(app.root, { "later.odt": "a letter" });
  await assertRefused(await get("later.odt"), 500, "internal");
  assert.ok(app.log.lines.some((line) => line.includes("no room for its folder")));
  host.next = made;
  await assertStatus(await get("later.odt"), 200);
});

Deno.test("a conversion ends when nobody waits for it any more", async () => {
  host.next = never;
  runs.length = 0;
  const [leaving, before] = [new AbortController(), host.abandoned];
  const { papers, gate } = app.cubby;
  const source = papers.source(gate.enter(SERVER), parsePath("/left.doc").path);
  const fault = papers.make(source, "1", leaving.signal).then(() => null, (error) => error);
  await eventually(() => runs.length === 1);
  leaving.abort();
  await eventually(() => host.abandoned === before + 1);
  assert.equal((await fault)?.name, "AbortError");
  host.next = made;
});

Deno.test("visitors get the PDF where the share lets them read files, and do not go round its limits", async () => {
  const share = async (json: object) => {
    const answer = await app.call("POST", "/api/share/talk.pptx", { token, json });
    return (await answer.json()).hash as string;
  };
  const visit = (hash: string) => app.call("GET", `/api/public/preview/pdf/${hash}`);
  const open = await visit(await share({}));
  assert.equal(await open.text(), pdf);
  await assertRefused(await visit(await share({ downloadLimit: 1 })), 403, "forbidden");
  await assertRefused(await visit(await share({ viewOnly: true })), 403, "forbidden");
  await assertRefused(await visit("none"), 404, "not_found");
});
