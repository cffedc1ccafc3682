// Bodies of WebDAV that no client sends: each is refused, or answered, in bounded time and memory.
import assert from "node:assert/strict";
import { startApp } from "../../support/server/app.ts";
import { basic, davClient } from "../../support/clients/dav.ts";
import { character, fc, runs } from "../../support/run/property.ts";

const app = await startApp({
  config: { webdav: true, syncClients: true },
  tree: { "a.txt": "one", folder: { "b.txt": "two" } },
});
Deno.test.afterAll(app.close);
const { username, password } = app.admin;
/** REPORT and SEARCH are of the addresses of sync clients alone. */
const addresses: Record<string, string> = {
  REPORT: `/remote.php/dav/files/${username}`,
  SEARCH: "/remote.php/dav",
};
const dav: ReturnType<typeof davClient> = (method, path, { headers = {}, ...options } = {}) =>
  app.call(method, (addresses[method] ?? "/dav") + path, {
    ...options,
    headers: { authorization: basic(username, password), ...headers },
  });

/** The longest that a hostile body of 256 KiB may take, in milliseconds, beside other tests. */
const maxMs = 5_000;

const methods = ["PROPFIND", "PROPPATCH", "LOCK", "REPORT", "SEARCH"] as const;
const paths = ["/", "/a.txt", "/folder/", "/none", "/folder/none.txt"] as const;
const depth = fc.constantFrom("0", "1", "infinity", "", "2", "1,noroot");

/** Sends a body to an address of WebDAV, and fails unless it is answered as it should be. */
async function send(
  method: string,
  path: string,
  body: string | Uint8Array<ArrayBuffer>,
  headers: Record<string, string> = { depth: "0" },
): Promise<number> {
  const begun = performance.now();
  const answer = await dav(method, path, { headers, body });
  const text = await answer.text();
  const ms = performance.now() - begun;
  const told = () => `${method} ${path} ${answer.status} in ${ms} ms: ${text.slice(0, 200)}`;
  assert.ok(answer.status < 500, told());
  assert.ok(ms < maxMs, told());
  assert.ok(text.length < 2 ** 20, told());
  const token = answer.headers.get("lock-token");
  if (token !== null) {
    await (await dav("UNLOCK", path, { headers: { "lock-token": token } })).body?.cancel();
  }
  return answer.status;
}

const name = fc.constantFrom(
  ...["propfind", "prop", "allprop", "propname", "include", "propertyupdate", "set", "remove"],
  ...["lockinfo", "lockscope", "locktype", "exclusive", "shared", "write", "owner", "href"],
  ...["getetag", "resourcetype", "lockdiscovery", "filter-files", "sync-collection", "limit"],
  ...["searchrequest", "basicsearch", "Win32LastModifiedTime", "a:b", "é", "_"],
);
const namespace = fc.constantFrom(
  ...["DAV:", "", "http://owncloud.org/ns", "http://nextcloud.org/ns", "urn:x", "&amp;"],
  ...["urn:schemas-microsoft-com:", "http://www.w3.org/2000/xmlns/", "x".repeat(300)],
);
const text = fc.string({ unit: character, maxLength: 20 }).map((each) => each.replace(/[<&]/g, ""));
/** XML that is nearly well-formed, of names that some method knows. */
const { element } = fc.letrec<{ element: string }>((tie) => ({
  element: fc.record({
    name,
    ns: namespace,
    attribute: fc.option(fc.tuple(name, text), { freq: 4 }),
    children: fc.array(fc.oneof({ depthSize: "small" }, text, tie("element")), { maxLength: 4 }),
    isCut: fc.constantFrom(false, false, false, false, false, false, false, true),
  }).map(({ name, ns, attribute, children, isCut }) => {
    const more = attribute ? ` ${attribute[0]}="${attribute[1].replaceAll('"', "")}"` : "";
    const open = `<${name} xmlns="${ns}"${more}>${children.join("")}`;
    return isCut ? open : `${open}</${name}>`;
  }),
}));
const root = fc.constantFrom("propfind", "propertyupdate", "lockinfo", "sync-collection")
  .chain((of) =>
    fc.array(element, { maxLength: 4 }).map((inner) =>
      `<?xml version="1.0"?><${of} xmlns="DAV:">${inner.join("")}</${of}>`
    )
  );

Deno.test("XML of known names in any order is refused or answered, and nothing fails", async () => {
  const cases = fc.record({
    method: fc.constantFrom(...methods),
    path: fc.constantFrom(...paths),
    body: fc.oneof(root, element),
    depth,
  });
  await fc.assert(
    fc.asyncProperty(cases, async ({ method, path, body, depth }) => {
      await send(method, path, body, { depth });
    }),
    { numRuns: runs(1_000) },
  );
});

Deno.test("bytes of any kind are refused, and nothing fails", async () => {
  const cases = fc.record({
    method: fc.constantFrom(...methods),
    path: fc.constantFrom(...paths),
    body: fc.uint8Array({ minLength: 1, maxLength: 200 }),
  });
  await fc.assert(
    fc.asyncProperty(cases, async ({ method, path, body }) => {
      const status = await send(method, path, new Uint8Array(body));
      assert.ok(status >= 400, `${method} ${path} ${status}`);
    }),
    { numRuns: runs(400) },
  );
});

Deno.test("a body that is cut anywhere is refused", async () => {
  const bodies = [
    ["PROPFIND", '<?xml version="1.0"?><propfind xmlns="DAV:"><prop><getetag/></prop></propfind>'],
    [
      "PROPPATCH",
      '<propertyupdate xmlns="DAV:"><set><prop><a xmlns="x:">é</a></prop></set></propertyupdate>',
    ],
    [
      "LOCK",
      '<lockinfo xmlns="DAV:"><lockscope><exclusive/></lockscope><locktype><write/></locktype>' +
      "</lockinfo>",
    ],
  ] as const;
  for (const [method, body] of bodies) {
    const bytes = new TextEncoder().encode(body);
    for (let length = 1; length < bytes.length; length += 7) {
      const status = await send(method, "/a.txt", bytes.slice(0, length));
      assert.equal(status, 400, `${method} ${length}`);
    }
  }
});

Deno.test("large bodies that multiply, nest or repeat cost bounded time and memory", async () => {
  const size = 250_000;
  const fill = (part: string) => part.repeat(Math.floor(size / part.length));
  const wrap = (inner: string) => `<propfind xmlns="DAV:"><prop>${inner}</prop></propfind>`;
  const hostile: Record<string, string> = {
    nested: fill("<a>"),
    "nested and closed": "<a>".repeat(35_000) + "</a>".repeat(35_000),
    siblings: wrap(fill("<a/>")),
    attributes: wrap(`<a ${Array.from({ length: 20_000 }, (_, n) => `a${n}=""`).join(" ")}/>`),
    namespaces: wrap(
      `<a ${Array.from({ length: 8_000 }, (_, n) => `xmlns:a${n}="urn:${n}"`).join(" ")}/>`,
    ),
    "one name": wrap(`<${"a".repeat(size)}/>`),
    "one text": wrap(fill("text ")),
    "one attribute": wrap(`<a b="${fill("text ")}"/>`),
    "one comment": wrap(`<!--${fill("text ")}-->`),
    comments: wrap(fill("<!---->")),
    "instructions": wrap(fill("<?a b?>")),
    "one CDATA": wrap(`<a><![CDATA[${fill("]]")}]]></a>`),
    references: wrap(`<a>${fill("&amp;")}</a>`),
    "unknown references": wrap(`<a>${fill("&x;")}</a>`),
    "a reference without end": wrap(`<a>&${fill("a")}</a>`),
    "numbers of characters": wrap(`<a>${fill("&#x10FFFF;")}</a>`),
    "no such characters": wrap(`<a>${fill("&#x110000;")}</a>`),
    spaces: fill(" "),
    "an open tag": `<a ${fill(" ")}`,
    "an open declaration": `<?xml ${fill("version='1.0' ")}`,
    entities: `<!DOCTYPE a [${fill('<!ENTITY b "c">')}]>${wrap("<a/>")}`,
    "an open document type": `<!DOCTYPE a [${fill("<!-- -->")}`,
    "byte order marks": fill("\ufeff"),
  };
  for (const [what, body] of Object.entries(hostile)) {
    for (const method of methods) {
      const status = await send(method, "/folder/", body);
      assert.ok(status >= 400 || status === 207, `${method} ${what} ${status}`);
      if (method !== "PROPFIND") assert.ok(status >= 400, `${method} ${what} ${status}`);
    }
  }
  for (const method of methods) {
    const status = await send(method, "/folder/", fill("<a/>").repeat(9));
    assert.ok([404, 405, 413].includes(status), `${method} ${status}`);
  }
});

Deno.test("encodings other than UTF-8 are refused, and a byte order mark is not", async () => {
  const query = '<?xml version="1.0"?><propfind xmlns="DAV:"><prop><getetag/></prop></propfind>';
  const utf16 = (little: boolean) => {
    const view = new DataView(new ArrayBuffer(2 + query.length * 2));
    [0xfeff, ...Array.from(query, (sign) => sign.charCodeAt(0))].forEach((unit, index) =>
      view.setUint16(index * 2, unit, little)
    );
    return new Uint8Array(view.buffer);
  };
  assert.equal(await send("PROPFIND", "/a.txt", utf16(true)), 400);
  assert.equal(await send("PROPFIND", "/a.txt", utf16(false)), 400);
  assert.equal(await send("PROPFIND", "/a.txt", new Uint8Array([60, 0xe9, 47, 62])), 400);
  assert.equal(await send("PROPFIND", "/a.txt", `\ufeff${query}`), 207);
});

Deno.test("the header If is refused or read, whatever it has", async () => {
  const part = fc.constantFrom(
    ...["(", ")", "<", ">", "[", "]", '"', "Not ", "not", " ", "\t", "W/", "(<urn:x>)"],
    ...['(["e"])', "<http://cubby.test/dav/a.txt>", "</dav/none>", "</dav/%zz>", "<DAV:no-lock>"],
    ...["</remote.php/dav/files/%zz/a>", "<http://[>", "opaquelocktoken:", "é"],
  );
  const header = fc.array(part, { maxLength: 12 }).map((parts) => parts.join("").trim());
  await fc.assert(
    fc.asyncProperty(header, async (value) => {
      const answer = await dav("PROPPATCH", "/a.txt", { headers: { if: value }, body: "<a/>" });
      await answer.body?.cancel();
      assert.ok(answer.status < 500, `${answer.status} ${value}`);
    }),
    { numRuns: runs(400) },
  );
  const many = Array.from({ length: 400 }, (_, n) => `(<urn:${n}>)`).join(" ");
  assert.equal(await send("PROPPATCH", "/a.txt", "<a/>", { if: many }), 400);
});
