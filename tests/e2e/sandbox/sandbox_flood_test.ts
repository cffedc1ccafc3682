import assert from "node:assert/strict";
import {
  ask,
  certificate,
  flood,
  secure,
  silences,
  startBounded,
} from "../../support/clients/connecting.ts";
import { requestHead } from "../../support/clients/raw_http.ts";

/** With these, the server holds some 220 connections; the tests open more than there are at all. */
const descriptors = 512;
const tooMany = 600;

for (const workers of [1, 2]) {
  Deno.test(`connection flood: more connections than descriptors end nothing, with ${workers} threads`, async () => {
    await using server = await startBounded({ descriptors, isProbe: true }, { workers });
    for (const [name, text] of Object.entries(silences)) {
      const download = await fetch(`${server.url}/slow?20`);
      using _flood = await flood(server.url, tooMany, text);
      assert.equal(await ask(server.url), "here", name);
      assert.equal((await download.bytes()).length, 20_000, name);
      assert.equal(await ask(server.url), "here", name);
    }
    assert.equal(await server.stop(), 0);
  });
}

Deno.test("connection flood: TLS handshakes that are never made end nothing", async () => {
  const options = { flags: secure };
  await using server = await startBounded({ descriptors, isProbe: true }, options);
  const caCerts = [await Deno.readTextFile(certificate)];
  for (const text of ["", "\x16\x03\x01\x02\x00\x01"]) {
    using _flood = await flood(server.url, tooMany, text);
    assert.equal(await ask(server.url, caCerts), "here");
  }
});

Deno.test("connection flood: descriptors that run out all the same stop accepting for a while", async () => {
  const bounds = { descriptors: 128, limits: { connections: 10_000 }, isProbe: true };
  await using server = await startBounded(bounds);
  using _flood = await flood(server.url, 200);
  assert.equal(await ask(server.url), "here");
  assert.match(server.output(), /Cannot accept connections for now: .*Too many open files/);
});

Deno.test("connection flood: the product answers, and its store stays open", async () => {
  await using server = await startBounded({ descriptors });
  using _flood = await flood(server.url, tooMany, requestHead("GET", "/health"));
  assert.equal(await ask(`${server.url}/health`), '{"status":"OK"}');
  const { username, password } = server;
  const body = JSON.stringify({ username, password });
  const login = await fetch(`${server.url}/api/login`, { method: "POST", body });
  assert.equal(login.status, 200, await login.text());
});
