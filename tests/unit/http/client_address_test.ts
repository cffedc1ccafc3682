import assert from "node:assert/strict";
import { clientAddress, publicOrigin } from "../../../lib/server/http/middleware/client_address.ts";

function from(hostname: string): Deno.ServeHandlerInfo {
  const remoteAddr: Deno.NetAddr = { transport: "tcp", hostname, port: 50000 };
  return { remoteAddr, completed: Promise.resolve() };
}

function asked(headers: Record<string, string> = {}): Request {
  return new Request("http://127.0.0.1:8080/", { headers });
}

Deno.test("clientAddress() does not believe an untrusted peer", () => {
  const req = asked({ "x-forwarded-for": "1.1.1.1" });
  assert.equal(clientAddress(from("203.0.113.9"), req, []), "203.0.113.9");
  assert.equal(clientAddress(from("203.0.113.9"), req, ["10.0.0.0/8"]), "203.0.113.9");
});

Deno.test("clientAddress() does not believe what a client wrote in front of the proxies' entries", () => {
  const req = asked({ "x-forwarded-for": "1.1.1.1, 198.51.100.4, 10.0.0.7" });
  assert.equal(clientAddress(from("10.0.0.1"), req, ["10.0.0.0/8"]), "198.51.100.4");
  const nonsense = asked({ "x-forwarded-for": "1.1.1.1, <script>, 10.0.0.7" });
  assert.equal(clientAddress(from("10.0.0.1"), nonsense, ["10.0.0.0/8"]), "10.0.0.7");
});

Deno.test("clientAddress() reads every spelling of an address", () => {
  const spellings: [string, string][] = [
    ["198.51.100.4:1234", "198.51.100.4"],
    ["[2001:DB8::1]:443", "2001:db8::1"],
    ["2001:db8::1", "2001:db8::1"],
    ["::ffff:198.51.100.4", "198.51.100.4"],
    ["fe80::1%eth0", "fe80::1"],
  ];
  for (const [written, address] of spellings) {
    const req = asked({ "x-forwarded-for": written });
    assert.equal(clientAddress(from("::1"), req, ["::1"]), address, written);
  }
  assert.equal(clientAddress(from("::ffff:10.0.0.1"), asked(), []), "10.0.0.1");
});

Deno.test("clientAddress() is the outermost proxy's when all of the chain is trusted", () => {
  const req = asked({ "x-forwarded-for": "10.0.0.9" });
  assert.equal(clientAddress(from("10.0.0.1"), req, ["10.0.0.0/8"]), "10.0.0.9");
});

Deno.test("publicOrigin() believes the forwarding headers of trusted peers alone", () => {
  const req = asked({ "x-forwarded-proto": "https", "x-forwarded-host": "Files.example" });
  assert.deepEqual(publicOrigin(from("1.2.3.4"), req, []), {
    https: false,
    host: "127.0.0.1:8080",
  });
  assert.deepEqual(publicOrigin(from("10.0.0.1"), req, ["10.0.0.1"]), {
    https: true,
    host: "files.example",
  });
});
