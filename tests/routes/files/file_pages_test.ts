/** What the first answer of a file's page shows of it, before any script. */
import assert from "node:assert/strict";
import { startApp } from "../../support/server/app.ts";
import { assertStatus } from "../../support/server/refused.ts";

const evil = `# Shown & "quoted"

<script>alert(1)</script><img src=x onerror="alert(1)">
<b onclick="alert(1)">inline</b> [one](javascript:alert(1)) [two](data:text/html,x "t\\"itle")
[three](https://example.org/?a=1&b="><script>) ![four](https://evil.example/pixel.png)
![five](p%22%3E.png) [six](//evil.example/) <https://example.org/auto>

\`\`\`"><script>alert(2)</script>
</code></pre><script>alert(3)</script>
\`\`\`

| a | b |
| - | :-: |
| 1 | <i>2</i> |

- [x] done
`;

const app = await startApp({
  tree: {
    home: {
      "evil.md": evil,
      "slow.md": "_a_".repeat(10_000),
      "deep.md": `${"> ".repeat(9_000)}a\n`,
      "long.md": `# Begin\n\n${"Some words of a paragraph.\n\n".repeat(9_000)}last of all`,
      "code.ts": "export const a = '<b>';\n",
      "bank.csv": "Name;Amount\nAda;7\n<i>Zoë</i>;8\n",
      "legacy.txt": Uint8Array.of(0x47, 0x72, 0xfc, 0xdf, 0x65, 0x0a),
      "big.log": `first line\n${"something happened\n".repeat(20_000)}last line\n`,
      "letter.docx": "PK",
      "sea.png": Uint8Array.of(0x89, 0x50, 0x4e, 0x47),
      "disk.bin": Uint8Array.of(0, 1, 2),
      "cert.crt": Uint8Array.from({ length: 206 }, (_, index) => index === 0 ? 0x30 : index),
    },
  },
});
Deno.test.afterAll(app.close);

const { token: anna } = await app.addUser("anna", { scope: "/home" });
const { token: blind } = await app.addUser("ben", { scope: "/home", perm: { download: false } });

/** The page of a file, and what it shows of it. */
async function open(name: string, token = anna) {
  const headers = { cookie: `auth=${token}` };
  const answer = await app.call("GET", `/files/${name}`, { headers });
  const page = await answer.text();
  assert.equal(answer.status, 200, page);
  const shown = page.slice(page.indexOf("first-look"), page.lastIndexOf("</main>"));
  const [, json = ""] = /<script[^>]* id="page-data"[^>]*>([^<]*)</.exec(page) ?? [];
  const policy = answer.headers.get("content-security-policy") ?? "";
  return { page, shown, policy, resource: JSON.parse(json).files.resource };
}

Deno.test("a page shows nothing of a file to those who may not read it, nor of what is not there", async () => {
  for (const name of ["evil.md", "bank.csv", "code.ts", "big.log"]) {
    const { page, shown } = await open(name, blind);
    assert.ok(!/quoted|Ada|export const|first line/.test(page), name);
    assert.match(shown, /viewer__facts/);
    assert.ok(!shown.includes("/api/raw/"), name);
  }
  const headers = { cookie: `auth=${anna}` };
  await assertStatus(await app.call("GET", "/files/none.md", { headers }), 404);
});

Deno.test("the first view of an attacker's Markdown document has none of its HTML, scripts and addresses", async () => {
  const { shown } = await open("evil.md");
  assert.match(shown, /<h1>Shown &amp; &quot;quoted&quot;<\/h1>/);
  assert.ok(
    !/<script|onerror|onclick|javascript:|data:text|<b |<i>|evil\.example\/pixel/.test(shown),
  );
  assert.match(shown, /&lt;\/code&gt;&lt;\/pre&gt;&lt;script&gt;alert\(3\)/);
  assert.match(shown, /href="https:\/\/example\.org\/auto"[^>]* rel="noopener noreferrer"/);
  assert.match(shown, /<img src="[^"]*\/api\/raw\/p%22%3E\.png\?inline=true" alt="five"/);
  for (const tag of shown.match(/<a [^>]*>/g) ?? []) assert.ok(!tag.includes("//evil"), tag);
});

Deno.test("a document that a parser takes long for is shown as it was written", async () => {
  for (const name of ["slow.md", "deep.md"]) {
    const { shown } = await open(name);
    assert.match(shown, /<pre [^>]*class="editor__code first-look__code"/, name);
  }
});

Deno.test("a page shows the beginning of its text, table or document at once, and no card to download it", async () => {
  const code = await open("code.ts");
  assert.match(code.shown, /export const a = &#39;&lt;b>&#39;|export const a = '&lt;b>'/);
  assert.equal(code.resource.content, "export const a = '<b>';\n");
  assert.match(code.resource.version, /^"/);
  const { shown } = await open("bank.csv");
  assert.match(shown, /<td dir="auto">Ada<\/td>/);
  assert.match(shown, /&lt;i>Zoë&lt;\/i>/);
  const legacy = await open("legacy.txt");
  assert.match(legacy.policy, /script-src 'self' 'nonce-/);
  assert.match(legacy.shown, /Grüße/);
  for (const name of ["code.ts", "bank.csv", "evil.md", "legacy.txt"]) {
    assert.ok(!(await open(name)).shown.includes("viewer__facts"), name);
  }
});

Deno.test("of a long text the page has no more than its beginning", async () => {
  for (
    const [name, first, last] of [["big.log", "first line", "last line"], [
      "long.md",
      "Begin",
      "last of all",
    ]] as const
  ) {
    const { page, shown, resource } = await open(name);
    assert.ok(shown.includes(first) && !page.includes(last), name);
    assert.equal(resource.content, undefined);
    assert.ok(shown.length < 60_000, `${shown.length} characters of ${name}`);
  }
});

Deno.test("what only a script can show has its outline, and a way to have it without scripts", async () => {
  const { shown } = await open("letter.docx");
  const [outline = "", card = ""] = shown.split("<noscript>");
  assert.match(outline, /file-bones/);
  assert.ok(!outline.includes("file__acts"));
  assert.match(card, /file__acts/);
  assert.match(
    (await open("sea.png")).shown,
    /<img src="[^"]*sea\.png\?inline=true" [^>]*class="first-look__picture"/,
  );
  for (const name of ["disk.bin", "cert.crt"]) {
    assert.match((await open(name)).shown, /viewer__note/, name);
  }
});

Deno.test("pages of files have the styles of what they show, and every page those for paper", async () => {
  const { page } = await open("evil.md");
  assert.match(page, /<link rel="stylesheet" href="[^"]*\/late\.css/);
  assert.ok(!page.includes("data-late"));
  assert.match(page, /<link rel="stylesheet" media="print" href="[^"]*\/print\.css/);
  const answer = await app.call("GET", "/print.css", {});
  await assertStatus(answer, 200);
  assert.equal(answer.headers.get("content-type"), "text/css; charset=utf-8");
});
