import assert from "node:assert/strict";
import { Drain } from "../../../lib/server/boot/shutdown.ts";

const request = new Request("http://h/");
const info: Deno.ServeHandlerInfo = {
  remoteAddr: { transport: "tcp", hostname: "127.0.0.1", port: 1 },
  completed: Promise.resolve(),
};

Deno.test("a drain turns new requests away with 503 and waits for those under way", async () => {
  const first = Promise.withResolvers<Response>();
  const drain = new Drain(() => first.promise);
  const answer = drain.handler(request, info);
  let isDone = false;
  const done = drain.start().then(() => isDone = true);

  const refused = await drain.handler(request, info);
  assert.deepEqual([refused.status, refused.headers.get("connection")], [503, "close"]);
  assert.equal(isDone, false);
  first.resolve(new Response("answered"));
  assert.equal(await (await answer).text(), "answered");
  await done;
});

Deno.test("a drain does not wait for a request that failed", async () => {
  const drain = new Drain(() => Promise.reject(new Error("failed")));
  await assert.rejects(async () => await drain.handler(request, info), /failed/);
  await drain.start();
});

Deno.test("once announced, a drain refuses readiness probes alone", async () => {
  const drain = new Drain(() => new Response("here"), "/base/health/ready");
  const statuses = async () => {
    const paths = ["/base/health/ready", "/base/health/ready?x=1", "/base/health", "/base/a.txt"];
    const answers = await Promise.all(
      paths.map((path) => drain.handler(new Request(`http://localhost${path}`), info)),
    );
    return answers.map(({ status }) => status);
  };
  assert.deepEqual(await statuses(), [200, 200, 200, 200]);
  drain.announce();
  assert.deepEqual(await statuses(), [503, 503, 200, 200]);
  await drain.start();
  assert.deepEqual(await statuses(), [503, 503, 503, 503]);
});
