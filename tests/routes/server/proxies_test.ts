import assert from "node:assert/strict";
import { join } from "node:path";
import { temporaryFolder } from "../../support/disks/files.ts";
import { ensurePrograms } from "../../support/run/debian.ts";
import { typeCommand } from "../../support/clients/command.ts";
import { type Proxy, startCaddy, startNginx } from "../../support/services/proxies.ts";
import { startServer } from "../../support/server/server.ts";
import { follow } from "../../support/clients/watching.ts";

const certificate = new URL("../../support/data/tls/certificate.pem", import.meta.url);
const caCerts = [Deno.readTextFileSync(certificate)];

/** Larger than what proxies keep in memory of a body. */
const uploadBytes = 32 * 1024 * 1024;

interface Kind {
  name: string;
  below: string;
  start(server: string, folder: string): Promise<Proxy>;
}

const kinds: Kind[] = [
  { name: "nginx", below: "", start: startNginx },
  {
    name: "nginx",
    below: "/files",
    start: (server, folder) => startNginx(server, folder, "/files/"),
  },
  { name: "caddy", below: "", start: startCaddy },
];

await ensurePrograms({ nginx: "nginx", caddy: "caddy" }, "proxies");

for (const { name, below, start } of kinds) {
  Deno.test({
    name: `the sample for ${name} passes everything on${below && `, below ${below}`}`,
    async fn(t) {
      await using folder = await temporaryFolder();
      await using server = await startServer({
        flags: [
          ...["--trusted-proxies", "127.0.0.1,::1", "--disable-exec=false"],
          ...["--baseurl", below],
        ],
      });
      await using proxy = await start(new URL(server.url).host, folder.path);
      using client = Deno.createHttpClient({ caCerts });
      const ask = (path: string, given: RequestInit = {}) => {
        const init: RequestInit & { client: Deno.HttpClient } = { ...given, client };
        return fetch(`${proxy.url}${below}${path}`, init);
      };
      const isSecure = proxy.url.startsWith("https:");

      const login = await ask("/api/login", {
        method: "POST",
        headers: { "x-forwarded-for": "203.0.113.7", "x-forwarded-proto": "http" },
        body: JSON.stringify({ username: server.username, password: server.password }),
      });
      const token = await login.text();
      assert.equal(login.status, 200, token);
      const headers = { "x-auth": token };

      await t.step(
        "the server sees the client's address and scheme, not those it claims",
        async () => {
          const cookie = login.headers.get("set-cookie") ?? "";
          assert.equal(/;\s*secure/i.test(cookie), isSecure, cookie);
          const [session] = await (await ask("/api/sessions", { headers })).json();
          assert.match(session.address, /^(?:127\.0\.0\.1|::1)$/);
        },
      );

      await t.step("redirects and pages keep the path and the address", async () => {
        const answer = await ask("/", { redirect: "manual" });
        await answer.body?.cancel();
        assert.ok([302, 303, 307].includes(answer.status), `${answer.status}`);
        const location = new URL(answer.headers.get("location") ?? "", `${proxy.url}${below}/`);
        assert.equal(location.origin, proxy.url);
        assert.ok(location.pathname.startsWith(`${below}/`), location.pathname);
        const page = await ask("/login");
        assert.match(await page.text(), new RegExp(`(?:src|href)="${below}/\\w`));
      });

      await t.step("an upload arrives as it comes, and is not buffered on the way", async () => {
        const half = new Uint8Array(uploadBytes / 2).fill(7);
        const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>();
        const upload = ask("/api/resources/large.bin", { method: "POST", headers, body: readable });
        const writer = writable.getWriter();
        await writer.write(half);
        await untilThere(() => sizeOfUpload(server.root) >= half.length / 2);
        if (proxy.buffers) assert.deepEqual([...Deno.readDirSync(proxy.buffers)], []);
        await writer.write(half);
        await writer.close();
        const answer = await upload;
        assert.equal(answer.status, 200, await answer.text());
        assert.equal(Deno.statSync(join(server.root, "large.bin")).size, uploadBytes);
      });

      await t.step("a range of a download is a range", async () => {
        const answer = await ask("/api/raw/large.bin", {
          headers: { ...headers, range: "bytes=5-9" },
        });
        assert.equal(answer.status, 206);
        assert.deepEqual([...await answer.bytes()], [7, 7, 7, 7, 7]);
      });

      await t.step("a name with every odd character stays itself", async () => {
        const odd = "#%?日本 `.txt";
        const path = `/api/resources/${encodeURIComponent(odd)}`;
        const answer = await ask(path, { method: "POST", headers, body: "odd" });
        assert.equal(answer.status, 200, await answer.text());
        assert.equal(Deno.readTextFileSync(join(server.root, odd)), "odd");
        const read = await ask(`/api/raw/${encodeURIComponent(odd)}`, { headers });
        assert.equal(await read.text(), "odd");
      });

      await t.step("a change of a folder is told at once", async () => {
        await using watching = follow(await ask("/api/watch/", { headers }));
        assert.equal(await watching.next(), "ready");
        Deno.writeTextFileSync(join(server.root, "new.txt"), "");
        assert.equal(await watching.next(), "changed");
      });

      await t.step("a command is typed through a WebSocket", async () => {
        const command = typeCommand("no-such-program", { url: `${proxy.plain}${below}`, token });
        const { lines, code } = await command.outcome;
        assert.match(lines.join("\n"), /is not among your commands/);
        assert.notEqual(code, 1006, "the socket was never opened, or was cut");
      });
    },
  });
}

/** What has come of an upload: its temporary file is the largest in the folder. */
function sizeOfUpload(folder: string): number {
  const names = [...Deno.readDirSync(folder)].map(({ name }) => name);
  return Math.max(0, ...names.map((name) => Deno.statSync(join(folder, name)).size));
}

async function untilThere(condition: () => boolean): Promise<void> {
  const deadline = Date.now() + 30_000;
  while (!condition()) {
    assert.ok(Date.now() < deadline, "it did not come to that within 30 s");
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}
