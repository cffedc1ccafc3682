import assert from "node:assert/strict";
import type { WebhookRights } from "../../../lib/server/core/config/webhook_options.ts";
import { mayReach } from "../../../lib/server/features/webhooks/address.ts";
import { post } from "../../../lib/server/features/webhooks/post.ts";
import { readTarget } from "../../../lib/server/features/webhooks/target.ts";
import { startReceiver } from "../../support/services/receiver.ts";

const tls = new URL("../../support/data/tls/", import.meta.url);
const cert = await Deno.readTextFile(new URL("certificate.pem", tls));
const key = await Deno.readTextFile(new URL("key.pem", tls));

const strict: WebhookRights = { ports: [443], privateNetworks: [], http: false };

/** Lets events be sent to one address of this machine, and to no other. */
function rightsFor(port: number, address = "127.0.0.1"): WebhookRights {
  return { ports: [port], privateNetworks: [address], http: true };
}

Deno.test("SSRF: addresses that are not those of the internet are refused, of every kind", () => {
  const refused = [
    ...["127.0.0.1", "127.255.255.254", "0.0.0.0", "0.1.2.3", "10.0.0.1", "172.16.0.1"],
    ...["172.31.255.255", "192.168.0.1", "169.254.169.254", "100.64.0.1", "100.100.100.200"],
    ...["100.127.255.255", "168.63.129.16", "192.0.0.192", "192.0.2.1", "198.18.0.1"],
    ...["203.0.113.1", "224.0.0.1", "239.255.255.255", "240.0.0.1", "255.255.255.255"],
    ...["::", "::1", "::7f00:1", "fe80::1", "fe80::1%eth0", "fec0::1", "fc00::1", "fd00:ec2::254"],
    ...["ff02::1", "::ffff:127.0.0.1", "::ffff:8.8.8.8", "::ffff:0:10.0.0.1", "64:ff9b::7f00:1"],
    ...["64:ff9b:1::1", "2002:7f00:1::", "2001::1", "2001:db8::1", "100::1", "4000::1"],
    ...["", "example.org", "0x7f.1", "2130706433", "127.1", "017700000001"],
  ];
  for (const address of refused) assert.equal(mayReach(address, []), false, address);
  for (const address of ["1.1.1.1", "8.8.8.8", "172.32.0.1", "2606:4700:4700::1111"]) {
    assert.equal(mayReach(address, []), true, address);
  }
});

Deno.test("SSRF: what the operator allows is allowed as such, not by a mapped address", () => {
  assert.equal(mayReach("10.1.2.3", ["10.0.0.0/8"]), true);
  assert.equal(mayReach("fd12::1", ["fd12::/16"]), true);
  assert.equal(mayReach("11.0.0.1", []), true);
  assert.equal(mayReach("192.168.0.1", ["10.0.0.0/8"]), false);
  assert.equal(mayReach("::ffff:10.1.2.3", ["10.0.0.0/8"]), false);
  assert.equal(mayReach("64:ff9b::a01:203", ["10.0.0.0/8", "64:ff9b::/96"]), false);
});

Deno.test("SSRF: URLs that hide an address, a port, a user or a protocol are refused", () => {
  const urls = [
    ...["http://example.org/", "ftp://example.org/", "file:///etc/passwd", "gopher://example.org"],
    ...["https://example.org:8443/", "https://example.org:22/", "https://user:pw@example.org/"],
    ...[
      "https://user@example.org/",
      "https://127.0.0.1/",
      "https://2130706433/",
      "https://0x7f.1/",
    ],
    ...["https://0177.0.0.1/", "https://127.1/", "https://[::1]/", "https://[::ffff:127.0.0.1]/"],
    ...["https://[fd00:ec2::254]/", "https://169.254.169.254/latest", "https://１２７.0.0.1/"],
    ...["https://example.org/#part", "example.org", "", "//example.org", "https://"],
  ];
  for (const url of urls) {
    assert.throws(() => readTarget(url, strict), { code: "invalid_option" }, url);
  }
  assert.equal(readTarget("https://example.org/a?b=c", strict).path, "/a?b=c");
});

Deno.test("DNS rebinding: the name is asked for once, and the connection made to that address", async () => {
  await using wanted = startReceiver({ hostname: "127.0.0.2" });
  await using internal = startReceiver({ hostname: "127.0.0.1", port: wanted.port });
  const rights = rightsFor(wanted.port, "127.0.0.2");
  let asked = 0;
  const resolve = () => Promise.resolve([++asked === 1 ? "127.0.0.2" : "127.0.0.1"]);
  const target = readTarget(`http://rebinding.test:${wanted.port}/in`, rights);

  assert.deepEqual(await post(target, {}, "{}", { rights, resolve }), { status: 204, fault: null });
  assert.equal(asked, 1);
  assert.equal(wanted.received[0]?.headers.get("host"), `rebinding.test:${wanted.port}`);
  // By now the name server answers with the address of a service that trusts this machine.
  const later = await post(target, {}, "{}", { rights, resolve });
  assert.deepEqual(later, { status: null, fault: "refused" });
  assert.deepEqual([wanted.received.length, internal.received.length], [1, 0]);
});

Deno.test("DNS: a name with one address that is refused is refused with all", async () => {
  await using receiver = startReceiver();
  const rights = rightsFor(receiver.port);
  const target = readTarget(`http://mixed.test:${receiver.port}/`, rights);
  for (const other of ["10.0.0.1", "::1", "169.254.169.254"]) {
    const resolve = () => Promise.resolve(["127.0.0.1", other]);
    const outcome = await post(target, {}, "{}", { rights, resolve });
    assert.deepEqual(outcome, { status: null, fault: "refused" }, other);
  }
  assert.equal(receiver.received.length, 0);
  const real = readTarget(`http://localhost:${receiver.port}/`, { ...rights });
  const loopback = { ...rights, privateNetworks: [] };
  const outcome = await post(real, {}, "{}", { rights: loopback });
  assert.deepEqual(outcome, { status: null, fault: "refused" }, "by the system's own names");
});

Deno.test("TLS: the certificate must be that of the name, though an address is connected to", async () => {
  await using receiver = startReceiver({ tls: { cert, key } });
  const rights = { ...rightsFor(receiver.port), http: false, ca: cert };
  const resolve = () => Promise.resolve(["127.0.0.1"]);
  const send = (host: string, given: WebhookRights = rights) => {
    const target = readTarget(`https://${host}:${receiver.port}/`, given);
    return post(target, {}, "{}", { rights: given, resolve });
  };
  assert.deepEqual(await send("localhost"), { status: 204, fault: null });
  assert.deepEqual(await send("other.test"), { status: null, fault: "unreachable" });
  const without = { ...rights, ca: undefined };
  assert.deepEqual(await send("localhost", without), { status: null, fault: "unreachable" });
  assert.equal(receiver.received.length, 1);
});

Deno.test("redirects are not followed", async () => {
  await using inner = startReceiver();
  await using receiver = startReceiver();
  const rights = { ...rightsFor(receiver.port), ports: [receiver.port, inner.port] };
  for (const status of [301, 302, 303, 307, 308]) {
    receiver.answer(status, { location: `${inner.url}/secret` });
    const outcome = await post(readTarget(receiver.url, rights), {}, "{}", { rights });
    assert.deepEqual(outcome, { status, fault: null });
  }
  assert.equal(inner.received.length, 0);
});

/** A server that answers as told, whatever it is asked. */
function startRaw(answer: (conn: Deno.TcpConn) => Promise<void>) {
  const listener = Deno.listen({ hostname: "127.0.0.1", port: 0 });
  const serving = (async () => {
    for await (const conn of listener) {
      await answer(conn).catch(() => {});
      try {
        conn.close();
      } catch {
        // The client was faster.
      }
    }
  })();
  return {
    port: listener.addr.port,
    async [Symbol.asyncDispose]() {
      listener.close();
      await serving;
    },
  };
}

const bytes = (text: string) => new TextEncoder().encode(text);

async function outcomeOf(
  answer: (conn: Deno.TcpConn) => Promise<void>,
  timeoutMs = 5_000,
) {
  await using server = startRaw(answer);
  const rights = rightsFor(server.port);
  const target = readTarget(`http://127.0.0.1:${server.port}/`, rights);
  const start = performance.now();
  const outcome = await post(target, {}, "{}", { rights, timeoutMs });
  return { ...outcome, ms: performance.now() - start };
}

Deno.test("answers: a head without an end is read up to a limit, a body not at all", async () => {
  let sent = 0;
  const endless = async (conn: Deno.TcpConn, first: string) => {
    await conn.write(bytes(first));
    while (sent < 50_000_000) sent += await conn.write(bytes(`x-more: ${"x".repeat(4_000)}\r\n`));
  };
  const head = await outcomeOf((conn) => endless(conn, "HTTP/1.1 200 OK\r\n"));
  assert.equal(head.fault, "malformed");
  assert.ok(sent < 20_000_000, `${sent} bytes were taken`);
  sent = 0;
  const body = await outcomeOf((conn) => endless(conn, "HTTP/1.1 200 OK\r\n\r\n"));
  assert.equal(body.status, 200);
  assert.ok(sent < 20_000_000, `${sent} bytes were taken`);
});

Deno.test("answers: one that never comes, or byte by byte, is given up in time", async () => {
  const silent = await outcomeOf(async (conn) => {
    await conn.read(new Uint8Array(1_000));
    await new Promise((done) => setTimeout(done, 600));
  }, 300);
  assert.equal(silent.fault, "timeout");
  const slow = await outcomeOf(async (conn) => {
    for (let count = 0; count < 12; count++) {
      await conn.write(bytes("H"));
      await new Promise((done) => setTimeout(done, 50));
    }
  }, 300);
  assert.equal(slow.fault, "timeout");
  assert.ok(silent.ms < 10_000 && slow.ms < 10_000);
});

Deno.test("answers: what is no HTTP is no success", async () => {
  const texts = [
    ...[
      "",
      "200 OK\r\n\r\n",
      "HTTP/2 200\r\n\r\n",
      "HTTP/1.1 20\r\n\r\n",
      "HTTP/1.1 0200 OK\r\n\r\n",
    ],
    ...["HTTP/1.1 099 Low\r\n\r\n", "SSH-2.0-OpenSSH_9.6\r\n\r\n", "HTTP/1.1 100 Continue\r\n\r\n"],
    "HTTP/1.1 100 Continue\r\n\r\n".repeat(8) + "HTTP/1.1 200 OK\r\n\r\n",
  ];
  for (const text of texts) {
    const outcome = await outcomeOf(async (conn) => {
      await conn.read(new Uint8Array(4_000));
      await conn.write(bytes(text));
    });
    assert.equal(outcome.fault, "malformed", JSON.stringify(text));
  }
  const early = await outcomeOf(async (conn) => {
    await conn.read(new Uint8Array(4_000));
    await conn.write(bytes("HTTP/1.1 103 Early Hints\r\na: b\r\n\r\nHTTP/1.1 201 Made\r\n\r\n"));
  });
  assert.equal(early.status, 201);
});

Deno.test("HTTP_PROXY and its like are not asked", async () => {
  await using proxy = startReceiver();
  await using receiver = startReceiver();
  const names = ["HTTP_PROXY", "http_proxy", "ALL_PROXY"];
  for (const name of names) Deno.env.set(name, proxy.url);
  try {
    const rights = rightsFor(receiver.port);
    await post(readTarget(receiver.url, rights), {}, "{}", { rights });
  } finally {
    for (const name of names) Deno.env.delete(name);
  }
  assert.deepEqual([proxy.received.length, receiver.received.length], [0, 1]);
});
