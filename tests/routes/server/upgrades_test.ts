import assert from "node:assert/strict";
import { certificate, secure } from "../../support/clients/connecting.ts";
import { requestHead, sendRaw } from "../../support/clients/raw_http.ts";
import { type RunningServer, startServer } from "../../support/server/server.ts";
import { follow } from "../../support/clients/watching.ts";

const caCerts = [Deno.readTextFileSync(certificate)];

/** A way to the server. */
interface Way {
  name: string;
  flags: string[];
  /** What a proxy on the way adds. */
  headers: Record<string, string>;
  isSecure: boolean;
}

const proxy = ["--trusted-proxies", "127.0.0.1"];
const ways: Way[] = [
  { name: "plain http", flags: proxy, headers: {}, isSecure: false },
  { name: "a proxy with TLS", flags: proxy, headers: forwarded("https"), isSecure: true },
  { name: "a proxy without TLS", flags: proxy, headers: forwarded("http"), isSecure: false },
  { name: "an untrusted proxy", flags: [], headers: forwarded("https"), isSecure: false },
  { name: "TLS", flags: secure, headers: {}, isSecure: true },
  {
    name: "TLS behind a proxy",
    flags: [...secure, ...proxy],
    headers: forwarded("https"),
    isSecure: true,
  },
];

function forwarded(scheme: string): Record<string, string> {
  return { "x-forwarded-proto": scheme, "x-forwarded-for": "203.0.113.7" };
}

const policies = [[], ["--hsts", "300"]];

/** Servers by their flags: ways with the same share one. */
const servers = new Map<string, RunningServer>();
Deno.test.afterAll(async () => {
  for (const server of servers.values()) await server.stop();
});
for (const flags of policies.flatMap((hsts) => ways.map(({ flags }) => [...flags, ...hsts]))) {
  const key = flags.join();
  if (servers.has(key)) continue;
  servers.set(key, await startServer({ flags: [...flags, "--disable-exec=false"] }));
}

for (const hsts of policies) {
  for (const { name, flags, headers, isSecure } of ways) {
    const policy = hsts.length > 0 && isSecure ? "max-age=300" : null;

    Deno.test(`a WebSocket and an event stream open over ${name}, ${hsts.join(" ") || "without --hsts"}`, async () => {
      const server = servers.get([...flags, ...hsts].join());
      assert.ok(server);
      const { url, username, password } = server;
      const { hostname, port, protocol } = new URL(url);
      using client = Deno.createHttpClient({ caCerts });
      const ask = (path: string, init: RequestInit = {}) => {
        const own: RequestInit & { client: Deno.HttpClient } = { ...init, client };
        return fetch(url.replace("127.0.0.1", "localhost") + path, own);
      };
      const body = JSON.stringify({ username, password });
      const login = await ask("/api/login", { method: "POST", headers, body });
      const token = await login.text();
      assert.equal(login.status, 200, token);

      const head = requestHead("GET", "/api/command/", {
        ...{ upgrade: "websocket", connection: "Upgrade", "sec-websocket-version": 13 },
        ...{ "sec-websocket-key": btoa("sixteen bytes ok"), "x-auth": token, ...headers },
      });
      const listener = {
        hostname,
        port: Number(port),
        caCerts: protocol === "https:" ? caCerts : undefined,
      };
      const opened = await sendRaw(listener, head);
      assert.equal(opened.status, 101, opened.body);
      assert.equal(opened.headers.get("strict-transport-security")?.trim() ?? null, policy);

      const answer = await ask("/api/watch/", { headers: { "x-auth": token, ...headers } });
      assert.equal(answer.headers.get("strict-transport-security"), policy);
      await using watching = follow(answer);
      assert.equal(await watching.next(), "ready");
    });
  }
}
