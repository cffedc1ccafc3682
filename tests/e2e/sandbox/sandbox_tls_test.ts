import assert from "node:assert/strict";
import { startProbe } from "../../support/probes/probe_server.ts";
import { startServer } from "../../support/server/server.ts";

const folder = new URL("../../support/data/tls/", import.meta.url).pathname;
const certificate = `${folder}certificate.pem`;

for (const workers of [1, 2]) {
  Deno.test(`with a certificate and its key the server speaks https, with ${workers} threads`, async () => {
    const flags = ["--cert", certificate, "--key", `${folder}key.pem`];
    await using probe = await startProbe({ workers, flags });
    assert.match(probe.url, /^https:/);
    const caCerts = [await Deno.readTextFile(certificate)];
    for (let count = 0; count < 4; count++) {
      using client = Deno.createHttpClient({ caCerts });
      const init: RequestInit & { client: Deno.HttpClient } = { client };
      const answer = await fetch(`${probe.url}/thread`, init);
      assert.match(await answer.text(), /^[\da-f-]{36}$/);
    }
    await assert.rejects(() => fetch(probe.url.replace("https", "http")));
  });
}

Deno.test("over its own https the server sends HSTS with --hsts", async () => {
  const flags = ["--cert", certificate, "--key", `${folder}key.pem`, "--hsts", "300"];
  await using server = await startServer({ flags });
  using client = Deno.createHttpClient({ caCerts: [await Deno.readTextFile(certificate)] });
  for (const path of ["/health", "/login", "/favicon.svg", "/none/%zz"]) {
    const init: RequestInit & { client: Deno.HttpClient } = { client };
    const answer = await fetch(server.url + path, init);
    await answer.body?.cancel();
    assert.equal(answer.headers.get("strict-transport-security"), "max-age=300", path);
  }
});
