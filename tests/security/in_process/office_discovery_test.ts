/** An office server that is slow, hostile, or not there: its description (WOPI discovery). */
import assert from "node:assert/strict";
import { gzipSync } from "node:zlib";
import { Discovery, editorAddress } from "../../../lib/server/features/office/discovery.ts";
import { editorsOf, startOfficeServer } from "../../support/office/office_server.ts";
import { startApp } from "../../support/server/app.ts";
import { assertRefused, assertStatus } from "../../support/server/refused.ts";

/** A server that answers each request in one way, and counts them. */
function answering(reply: (req: Request) => Response | Promise<Response>) {
  const asked: string[] = [];
  const server = Deno.serve({ hostname: "127.0.0.1", port: 0, onListen: () => {} }, (req) => {
    asked.push(new URL(req.url).pathname);
    return reply(req);
  });
  const url = `http://127.0.0.1:${server.addr.port}`;
  return { url, asked, [Symbol.asyncDispose]: () => server.shutdown() };
}

const bytesOf = (text: string) => new TextEncoder().encode(text);

/** A body of the same bytes, again and again, until the reader leaves. */
function endless(piece: Uint8Array<ArrayBuffer>, pauseMs: number): Response {
  let timer: ReturnType<typeof setTimeout> | undefined;
  return new Response(
    new ReadableStream({
      async pull(controller) {
        await new Promise<void>((resolve) => timer = setTimeout(resolve, pauseMs));
        controller.enqueue(piece);
      },
      cancel: () => clearTimeout(timer),
    }, { highWaterMark: 0 }),
  );
}

/** Asserts that a description is refused, for a reason and in time. */
async function assertBad(reply: (req: Request) => Response | Promise<Response>, reason: RegExp) {
  await using server = answering(reply);
  const discovery = new Discovery({ url: server.url, publicUrl: server.url }, { timeoutMs: 500 });
  const start = performance.now();
  await assert.rejects(discovery.test(), { code: "busy", message: reason });
  assert.ok(performance.now() - start < 3_000, "bounded in time");
  assert.deepEqual(server.asked, ["/hosting/discovery"]);
}

Deno.test("a description that comes slowly, byte by byte or not at all, is given up in time", async () => {
  await assertBad(() => endless(bytesOf(" "), 20), /timed out|timeout/i);
  const hanging = ({ signal }: Request) =>
    new Promise<Response>((resolve) => {
      signal.addEventListener("abort", () => resolve(new Response()), { once: true });
    });
  await assertBad(hanging, /timed out|timeout/i);
});

Deno.test("a description without end, or one that unpacks to more than it seems, is cut off", async () => {
  await assertBad(() => endless(bytesOf(" ".repeat(64 * 1024)), 0), /too long/);
  const bomb = gzipSync(new Uint8Array(256 * 2 ** 20).fill(32));
  const before = Deno.memoryUsage().rss;
  await assertBad(
    () => new Response(bomb, { headers: { "content-encoding": "gzip" } }),
    /too long/,
  );
  assert.ok(Deno.memoryUsage().rss - before < 128 * 2 ** 20, "it is not unpacked as a whole");
});

Deno.test("SSRF: a redirect is not followed, to whatever address", async () => {
  await using internal = answering(() => new Response("secret"));
  const places = [
    ...[`${internal.url}/admin`, "http://169.254.169.254/latest/meta-data/", "file:///etc/passwd"],
    ...["gopher://127.0.0.1:6379/_FLUSHALL", "//127.0.0.1/", "http://[::1]/"],
  ];
  for (const location of places) {
    for (const status of [301, 302, 303, 307, 308]) {
      const reply = () => new Response(null, { status, headers: { location } });
      await assertBad(reply, /name the address that it redirects to/);
    }
  }
  assert.deepEqual(internal.asked, []);
});

Deno.test("XML with entities, document types, depth or size is refused", async () => {
  const documents: [string, RegExp][] = [
    [
      '<!DOCTYPE a [<!ENTITY x SYSTEM "file:///etc/passwd">]><wopi-discovery>&x;</wopi-discovery>',
      /document type/,
    ],
    ['<!DOCTYPE a SYSTEM "http://127.0.0.1:9/a.dtd"><wopi-discovery/>', /document type/],
    ["<wopi-discovery>&undeclared;</wopi-discovery>", /not well-formed/],
    [`${"<a>".repeat(100)}${"</a>".repeat(100)}`, /deeper/],
    [`<wopi-discovery>${"<a/>".repeat(30_000)}</wopi-discovery>`, /more than/],
    ["<wopi-discovery>", /not well-formed/],
    ["", /not well-formed|no element/],
    ["\u0000", /not well-formed/],
    ["<html/>", /expected the element "wopi-discovery"/],
    ['<wopi-discovery><proof-key modulus="!" exponent="AQAB"/></wopi-discovery>', /malformed/],
  ];
  for (const [text, reason] of documents) await assertBad(() => new Response(text), reason);
  await assertBad(() => new Response(new Uint8Array([0xff, 0xfe, 0x3c, 0x00])), /not UTF-8/);
  await assertBad(() => new Response("x", { status: 500 }), /status 500/);
});

Deno.test("SSRF: nothing that a description names is requested, and frames stay at one origin", async () => {
  await using internal = answering(() => new Response("secret"));
  const action = (ext: string, urlsrc: string) =>
    `<action name="edit" ext="${ext}" urlsrc="${urlsrc}"/>`;
  const text = "<wopi-discovery><net-zone name='external-http'><app name='x' favIconUrl='" +
    `${internal.url}/favicon'>${
      action("odt", `${internal.url}/a?b=c&amp;&lt;x=WOPI_SOURCE&amp;&gt;`)
    }` +
    action("docx", "javascript:alert(1)") + action("xlsx", "data:text/html,x") +
    action("pptx", "file:///etc/passwd") + action("../etc", `${internal.url}/`) +
    action("ods", `http://x/${"y".repeat(3_000)}`) + "</app></net-zone></wopi-discovery>";
  await using server = answering(() => new Response(text));
  const publicUrl = "https://office.example/sub";
  const discovery = new Discovery({ url: server.url, publicUrl });
  const { editors } = await discovery.read();
  assert.deepEqual([...editors.keys()], ["odt"]);
  const source = "https://files.example/wopi/files/x?a=b&c";
  const address = new URL(
    editorAddress({ url: server.url, publicUrl }, editors.get("odt")?.edit ?? "", {
      ...{ source, language: "de" },
    }),
  );
  assert.equal(address.origin, "https://office.example");
  assert.deepEqual([...address.searchParams], [
    ...[["b", "c"], ["x", source], ["WOPISrc", source], ["lang", "de"]],
  ]);
  assert.deepEqual(internal.asked, []);
});

Deno.test("the path of the address for browsers is in front of that of an editor, once", () => {
  const at = (url: string, publicUrl: string, path: string) => {
    const options = { source: "https://files.example/wopi/files/x", language: "de" };
    const address = new URL(
      editorAddress({ url, publicUrl }, `http://evil.example${path}?`, options),
    );
    return address.origin + address.pathname;
  };
  const [inside, outside] = ["http://office:80", "https://files.example"];
  const cases: [string, string, string, string][] = [
    [inside, outside, "/hosting/wopi/word", "/hosting/wopi/word"],
    [inside, `${outside}/ds`, "/hosting/wopi/word", "/ds/hosting/wopi/word"],
    [inside, `${outside}/ds`, "/ds/hosting/wopi/word", "/ds/hosting/wopi/word"],
    [inside, `${outside}/ds`, "/dsx/word", "/ds/dsx/word"],
    [`${inside}/a`, `${outside}/ds`, "/a/word", "/ds/word"],
    [`${inside}/a`, `${outside}/ds`, "/word", "/ds/word"],
    [`${inside}/a`, outside, "/a/word", "/a/word"],
    [`${outside}/a`, `${outside}/a`, "/a/browser/cool.html", "/a/browser/cool.html"],
    [inside, `${outside}/ds`, "//evil.example/word", "/ds//evil.example/word"],
    [inside, outside, "/../ds/word", "/ds/word"],
  ];
  for (const [url, publicUrl, path, expected] of cases) {
    assert.equal(at(url, publicUrl, path), outside + expected, `${url} ${publicUrl} ${path}`);
  }
});

Deno.test("a description is asked for once by many, kept for an hour, and longer while it is away", async () => {
  let now = 0;
  let isAway = false;
  const text = "<wopi-discovery><net-zone name='external-http'><app name='x'>" +
    "<action name='edit' ext='odt' urlsrc='http://x/'/></app></net-zone></wopi-discovery>";
  await using server = answering(() =>
    isAway ? new Response(null, { status: 502 }) : new Response(text)
  );
  const reports: string[] = [];
  const discovery = new Discovery(
    { url: server.url, publicUrl: server.url },
    { now: () => now, report: (reason) => void reports.push(reason) },
  );
  await Promise.all(Array.from({ length: 50 }, () => discovery.read()));
  assert.equal(server.asked.length, 1);
  now += 59 * 60_000;
  await discovery.read();
  assert.equal(server.asked.length, 1);
  now += 2 * 60_000;
  isAway = true;
  for (let round = 0; round < 50; round++) assert.equal((await discovery.read()).editors.size, 1);
  assert.equal(server.asked.length, 2, "not asked again at once");
  assert.match(reports.join(), /status 502/);
  now += 60_000;
  isAway = false;
  await discovery.read();
  assert.equal(server.asked.length, 3);
});

Deno.test("wrong signatures have the description read twice a minute at most, new keys at once", async () => {
  await using office = await startOfficeServer();
  await using app = await startApp({
    inProcess: true,
    config: { office: { url: office.url, publicUrl: office.url } },
    tree: { "a.odt": "a" },
  });
  const { open } = editorsOf(app, office);
  const editor = await open("/a.odt", await app.tokenOf("admin"));
  const forged = await office.proofOf(editor.token, "http://cubby.test/elsewhere");
  assert.equal(office.asked(), 1);
  await app.later(60_000, async () => {
    const answers = await Promise.all(
      Array.from({ length: 30 }, () => editor.info({ proof: forged, time: Date.now() })),
    );
    for (const answer of answers) await assertStatus(answer, 500);
    assert.equal(office.asked(), 2);
  });
  // Two changes of keys: neither the present nor the former one is known.
  await office.rotate();
  await office.rotate();
  await app.later(120_000, async () => {
    await assertStatus(await editor.info({ time: Date.now() }), 200);
    assert.equal(office.asked(), 3);
  });
});

Deno.test("neither users nor visitors are told the address or the failure of the office server", async () => {
  await using app = await startApp({
    inProcess: true,
    config: { office: { url: "http://127.0.0.1:9/internal", publicUrl: "https://office.example" } },
    tree: { "a.odt": "a" },
  });
  const token = await app.tokenOf("admin");
  const refused = await app.call("POST", "/api/office/a.odt", { token });
  const message = await assertRefused(refused, 503, "busy");
  assert.doesNotMatch(message, /127\.0\.0\.1|internal|connect/i);
  assert.match(app.log.lines.join("\n"), /Office server: .*127\.0\.0\.1:9\/internal/);
});
