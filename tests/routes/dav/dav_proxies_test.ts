/** Addresses in headers, as clients write them and proxies pass them on. */
import assert from "node:assert/strict";
import { startApp } from "../../support/server/app.ts";
import { davClient } from "../../support/clients/dav.ts";
import { assertStatus } from "../../support/server/refused.ts";

const app = await startApp({
  config: { webdav: true },
  tree: { "a.txt": "one", folder: { "b.txt": "two" } },
});
Deno.test.afterAll(app.close);
const dav = davClient(app);

/** Copies a file as behind a proxy, and removes the copy. @returns the status */
async function copy(host: string, destination: string, more: Record<string, string> = {}) {
  const headers = { destination, ...more };
  const answer = await dav("COPY", "/a.txt", { headers, origin: `http://${host}` });
  const text = await answer.text();
  if (answer.ok) {
    const copied = await dav("DELETE", new URL(destination, "http://x").pathname.slice(4));
    await assertStatus(copied, 204, `${host} ${destination}`);
  }
  return { status: answer.status, text };
}

Deno.test("a Destination on another server is refused, with the way out behind a proxy", async () => {
  for (
    const [host, destination] of [
      ["files.example", "http://evil.example/dav/x.txt"],
      ["files.example", "http://files.example@evil.example/dav/x.txt"],
      ["files.example", "http://files.example.evil.example/dav/x.txt"],
      ["files.example", "http://10.0.0.5/dav/x.txt"],
      ["files.example", "http://localhost/dav/x.txt"],
      ["files.example:8080", "http://files.example:8081/dav/x.txt"],
      ["10.0.0.5:8080", "http://10.0.0.6:8080/dav/x.txt"],
      ["10.0.0.5:8080", "http://cubby/dav/x.txt"],
      ["127.0.0.1:8080", "http://127.0.0.1:8081/dav/x.txt"],
    ] as const
  ) {
    const { status, text } = await copy(host, destination);
    assert.equal(status, 502, `${host} ${destination}`);
    assert.match(text, /is another server than .*X-Forwarded-Host/);
  }
  const forwarded = { "x-forwarded-host": "outer.example" };
  assert.equal((await copy("files.example", "http://evil.example/dav/x", forwarded)).status, 502);
});

Deno.test("a proxy that changes the host, the port or the scheme lets clients copy and move", async () => {
  for (
    const [host, destination, more] of [
      // TLS ends at the proxy, which passes Host on, with its port or without.
      ["files.example", "https://files.example/dav/x.txt"],
      ["files.example", "https://files.example:8443/dav/x.txt"],
      ["files.example:8443", "https://files.example:8443/dav/x.txt"],
      ["files.example:443", "https://files.example/dav/x.txt"],
      ["files.example:80", "https://files.example/dav/x.txt"],
      ["FILES.example", "https://files.EXAMPLE/dav/x.txt"],
      // `proxy_pass http://cubby:8080` and nothing more.
      ["cubby:8080", "https://files.example/dav/x.txt"],
      ["cubby:8080", "http://192.168.1.2/dav/x.txt"],
      ["127.0.0.1:8080", "https://files.example/dav/x.txt"],
      ["localhost:8080", "http://nas/dav/x.txt"],
      ["[::1]:8080", "http://nas/dav/x.txt"],
      ["10.0.0.5:8080", "https://files.example/dav/x.txt"],
      ["cubby.files.svc", "https://files.example/dav/x.txt"],
      ["cubby.internal", "https://files.example/dav/x.txt"],
      // Apache, Traefik and Caddy.
      ["inner.example", "https://files.example/dav/x.txt", "files.example"],
      ["inner.example", "https://files.example/dav/x.txt", "files.example, middle.example"],
      // Whoever is named before the host.
      ["files.example", "https://anna@files.example/dav/x.txt"],
      ["files.example", "https://anna:secret@files.example/dav/x.txt"],
      ["files.example", "/dav/x.txt"],
    ] as const
  ) {
    const forwarded: Record<string, string> = more === undefined
      ? {}
      : { "x-forwarded-host": more };
    const { status, text } = await copy(host, destination, forwarded);
    assert.equal(status, 201, `${host} ${destination}: ${text}`);
  }
});

Deno.test("a Destination is read with or without escapes, and never as another name", async () => {
  const bytes = (text: string) =>
    Array.from(new TextEncoder().encode(text), (byte) => String.fromCharCode(byte)).join("");
  for (
    const [destination, path] of [
      ["/dav/%23%25%3F%E6%97%A5%E6%9C%AC%20%60.txt", "/%23%25%3F%E6%97%A5%E6%9C%AC%20%60.txt"],
      [bytes("/dav/日本 ö.txt"), "/%E6%97%A5%E6%9C%AC%20%C3%B6.txt"],
      [bytes("http://cubby.test/dav/ö (1)'.txt"), "/%C3%B6%20(1)'.txt"],
      ["http://cubby.test//dav//folder//x.txt", "/folder/x.txt"],
      ["/dav/folder/", "/folder"],
      ["/dav/back\\slash.txt", "/back%5Cslash.txt"],
      ["/dav/folder/./x.txt", "/folder/x.txt"],
      ["/dav/none/../x.txt", "/x.txt"],
    ] as const
  ) {
    const headers = { destination, overwrite: "T" };
    const answer = await dav("COPY", "/a.txt", { headers });
    assert.ok(answer.status === 201 || answer.status === 204, `${destination} ${answer.status}`);
    await answer.body?.cancel();
    assert.equal(await (await dav("GET", path)).text(), "one", destination);
    await assertStatus(await dav("DELETE", path), 204, destination);
    if (path === "/folder") await assertStatus(await dav("MKCOL", path), 201);
  }
  for (
    const destination of [
      ...["/dav/x.txt?y", "/dav/x.txt?", "/dav/x#y.txt", "/dav/x#", "//cubby.test/dav/x.txt"],
      ...["dav/x.txt", "x.txt", "http://", "/dav/%", "/dav/%zz", "/dav/%ff", "/dav/a%2fb"],
      ...["/dav/a%00b", "ftp://cubby.test/dav/x.txt", "davs://cubby.test/dav/x.txt"],
    ]
  ) {
    const answer = await dav("MOVE", "/a.txt", { headers: { destination } });
    await assertStatus(answer, 400, destination);
  }
  assert.equal(await (await dav("GET", "/a.txt")).text(), "one");
});
