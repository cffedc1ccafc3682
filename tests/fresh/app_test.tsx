import assert from "node:assert/strict";
import { App, type Context, HttpError, type Middleware } from "fresh";
import { quietConsole, sender } from "./support/project.ts";

interface State {
  trail: string[];
}

/** Leaves its name on the way in; the trail is sent by `sendTrail`. */
function step(name: string): Middleware<State> {
  return (ctx) => {
    (ctx.state.trail ??= []).push(name);
    return ctx.next();
  };
}

function sendTrail(ctx: Context<State>): Response {
  return ctx.text((ctx.state.trail ?? []).join(" "));
}

async function text(response: Promise<Response>): Promise<string> {
  return await (await response).text();
}

Deno.test("an unknown path runs the middlewares of the root and answers 404", async () => {
  const seen: string[] = [];
  const note = (name: string): Middleware<State> => (ctx) => {
    seen.push(name);
    return ctx.next();
  };
  const send = sender(new App<State>().use(note("root")).use("/a", note("a")).get("/a", sendTrail));
  const response = await send("/a/missing");
  assert.equal(response.status, 404);
  assert.equal(await response.text(), "Not Found");
  assert.deepEqual(seen, ["root"]);
});

Deno.test("a method that a path lacks is answered with 405, an unknown one with 500", async () => {
  using console = quietConsole();
  const send = sender(new App().get("/a", () => new Response("a")));
  const lacking = await send("/a", { method: "POST" });
  assert.equal(lacking.status, 405);
  assert.equal(await lacking.text(), "Method Not Allowed");
  const unknown = await send("/a", { method: "PURGE" });
  assert.equal(unknown.status, 500);
  assert.equal(await unknown.text(), "Internal server error");
  assert.match(String(console.printed[0]), /PURGE/);
  assert.equal((await send("/missing", { method: "PURGE" })).status, 404);
});

Deno.test("a middleware that returns no response is a server error", async () => {
  using console = quietConsole();
  const send = sender(new App().get("/", (() => "text") as unknown as Middleware<unknown>));
  const response = await send("/");
  assert.equal(response.status, 500);
  assert.equal(await response.text(), "Internal server error");
  assert.match(String(console.printed[0]), /Expected a "Response" instance/);
});

Deno.test("an error without a route for it is logged and told to no one", async () => {
  using console = quietConsole();
  const send = sender(
    new App().get("/", () => {
      throw new Error("the password is 1234");
    }),
  );
  const response = await send("/");
  assert.equal(response.status, 500);
  assert.equal(await response.text(), "Internal server error");
  assert.match(String(console.printed[0]), /1234/);
});

Deno.test("an HttpError without a route for it is its message; only server errors are logged", async () => {
  using console = quietConsole();
  const fail = (error: HttpError) => () => {
    throw error;
  };
  const send = sender(
    new App()
      .get("/teapot", fail(new HttpError(418)))
      .get("/gone", fail(new HttpError(410, "It has moved away")))
      .get("/full", fail(new HttpError(507, "The disk is full"))),
  );
  const table: [path: string, status: number, body: string][] = [
    ["/teapot", 418, "I'm a teapot"],
    ["/gone", 410, "It has moved away"],
    ["/full", 507, "The disk is full"],
  ];
  for (const [path, status, body] of table) {
    const response = await send(path);
    assert.equal(response.status, status);
    assert.equal(await response.text(), body);
  }
  assert.equal(console.printed.length, 1);
});

Deno.test("OPTIONS on a known path runs the root middlewares and answers 204 with Allow", async () => {
  const send = sender(
    new App()
      .use(async (ctx) => {
        const response = await ctx.next();
        response.headers.set("x-root", "1");
        return response;
      })
      .get("/a", () => new Response())
      .post("/a", () => new Response()),
  );
  const response = await send("/a", { method: "OPTIONS" });
  assert.equal(response.status, 204);
  assert.equal(response.headers.get("allow"), "GET, POST");
  assert.equal(response.headers.get("x-root"), "1");
});

Deno.test("HEAD runs the GET handler and keeps its headers without the body", async () => {
  const send = sender(
    new App().get(
      "/a",
      () => new Response("twelve bytes", { status: 203, headers: { "content-length": "12" } }),
    ),
  );
  const response = await send("/a", { method: "HEAD" });
  assert.equal(response.status, 203);
  assert.equal(response.headers.get("content-length"), "12");
  assert.equal(response.body, null);
});

Deno.test("each method registers for itself, all() for every one", async () => {
  const reply = (name: string) => () => new Response(name);
  const app = new App()
    .get("/x", reply("GET"))
    .post("/x", reply("POST"))
    .put("/x", reply("PUT"))
    .patch("/x", reply("PATCH"))
    .delete("/x", reply("DELETE"))
    .all("/all", (ctx) => new Response(ctx.req.method));
  const send = sender(app);
  for (const method of ["GET", "POST", "PUT", "PATCH", "DELETE"]) {
    assert.equal(await text(send("/x", { method })), method);
    assert.equal(await text(send("/all", { method })), method);
  }
  assert.equal((await send("/all", { method: "OPTIONS" })).status, 200);
});

Deno.test("a route is wrapped by what was registered before it, not after", async () => {
  const send = sender(
    new App<State>()
      .use(step("one"))
      .get("/early", sendTrail)
      .use(step("two"))
      .get("/late", sendTrail),
  );
  assert.equal(await text(send("/early")), "one");
  assert.equal(await text(send("/late")), "one two");
});

Deno.test("middlewares of a path apply to it and below it, from the root inwards", async () => {
  const send = sender(
    new App<State>()
      .use("/a/b", step("b"))
      .use("/a", step("a"))
      .use(step("root"))
      .get("/", sendTrail)
      .get("/a", sendTrail)
      .get("/a/b", sendTrail)
      .get("/a/b/:id", sendTrail)
      .get("/ab", sendTrail),
  );
  assert.equal(await text(send("/")), "root");
  assert.equal(await text(send("/a")), "root a");
  assert.equal(await text(send("/a/b")), "root a b");
  assert.equal(await text(send("/a/b/c")), "root a b");
  assert.equal(await text(send("/ab")), "root");
});

Deno.test("several middlewares run in order, and see the answer on the way out", async () => {
  const order: string[] = [];
  const around = (name: string): Middleware<unknown> => async (ctx) => {
    order.push(`in ${name}`);
    const response = await ctx.next();
    order.push(`out ${name}`);
    return response;
  };
  const send = sender(new App().use(around("a"), around("b")).get("/", () => new Response()));
  await send("/");
  assert.deepEqual(order, ["in a", "in b", "out b", "out a"]);
});

Deno.test("an async function that gives a middleware is called once", async () => {
  let calls = 0;
  const lazy = () => {
    calls++;
    return Promise.resolve((ctx: Context<State>) => ctx.text("loaded"));
  };
  const send = sender(new App<State>().get("/", lazy));
  assert.equal(await text(send("/")), "loaded");
  assert.equal(await text(send("/")), "loaded");
  assert.equal(calls, 1);
});

Deno.test("a lazy route is loaded on the first request and answers every method", async () => {
  let calls = 0;
  const load = () => {
    calls++;
    return Promise.resolve({ handler: (ctx: Context<unknown>) => ctx.text(ctx.req.method) });
  };
  const send = sender(new App().route("/lazy", load));
  assert.equal(calls, 0);
  assert.equal(await text(send("/lazy")), "GET");
  assert.equal(await text(send("/lazy", { method: "PUT" })), "PUT");
  assert.equal(calls, 1);
});

Deno.test("a lazy route is loaded once by requests at once, and again after a failure", async () => {
  let calls = 0;
  const load = async () => {
    calls++;
    await Promise.resolve();
    if (calls === 1) throw new Error("not yet");
    return { handler: (ctx: Context<unknown>) => ctx.text("loaded") };
  };
  const send = sender(
    new App().use((ctx) => ctx.next().catch((error) => ctx.text(error.message)))
      .route("/lazy", load),
  );
  const both = () => Promise.all([text(send("/lazy")), text(send("/lazy"))]);
  assert.deepEqual(await both(), ["not yet", "not yet"]);
  assert.deepEqual(await both(), ["loaded", "loaded"]);
  assert.equal(calls, 2);
});

Deno.test("a route with a component and no GET handler renders on GET", async () => {
  const send = sender(
    new App().route("/form", {
      component: () => <form />,
      handler: { POST: () => new Response("sent") },
    }),
  );
  assert.match(await text(send("/form")), /<form><\/form>/);
  assert.equal(await text(send("/form", { method: "POST" })), "sent");
  assert.equal((await send("/form", { method: "PUT" })).status, 405);
});

Deno.test("runs of slashes in the path are one slash before routing", async () => {
  const send = sender(new App().get("/a/b", (ctx) => ctx.text(ctx.url.pathname)));
  assert.equal(await text(send("//a///b")), "/a/b");
});

Deno.test("ctx tells the matched pattern and its parameters", async () => {
  const send = sender(
    new App().get("/users/:id", (ctx) => ctx.json([ctx.route, ctx.params.id])),
  );
  assert.deepEqual(await (await send("/users/7")).json(), ["/users/:id", "7"]);
});

Deno.test("ctx.route is URLPattern's text, below the base path, however it was written", async () => {
  const reply = (ctx: Context<unknown>) => ctx.text(String(ctx.route));
  const send = sender(
    new App({ basePath: "/base" }).get("/api{/*}?", reply).post("/b/*?", reply),
  );
  assert.equal(await text(send("/base/api")), "/base/api/*?");
  assert.equal(await text(send("/base/api/x")), "/base/api/*?");
  const options = await send("/base/b/x", { method: "OPTIONS" });
  assert.equal(options.headers.get("allow"), "POST");
});

Deno.test("each request has a state of its own", async () => {
  const send = sender(new App<State>().use(step("once")).get("/", sendTrail));
  assert.equal(await text(send("/")), "once");
  assert.equal(await text(send("/")), "once");
});

Deno.test("forwarded headers are believed only behind a proxy that is trusted", async () => {
  const headers = { "x-forwarded-proto": "https, http", "x-forwarded-host": "files.example" };
  const reply = (ctx: Context<unknown>) => ctx.text(ctx.url.href);
  const wary = sender(new App().get("/a", reply), "http://localhost:8080");
  assert.equal(await text(wary("/a", { headers })), "http://localhost:8080/a");
  const trusting = sender(
    new App({ trustProxy: true }).get("/a", reply),
    "http://localhost:8080",
  );
  assert.equal(await text(trusting("/a", { headers })), "https://files.example/a");
  assert.equal(
    await text(trusting("/a", { headers: { "x-forwarded-proto": "javascript" } })),
    "http://localhost:8080/a",
  );
});

Deno.test("a base path stands before every route", async () => {
  const send = sender(
    new App({ basePath: "/files" })
      .get("/", () => new Response("home"))
      .get("/a", () => new Response("a")),
  );
  assert.equal(await text(send("/files")), "home");
  assert.equal(await text(send("/files/")), "home");
  assert.equal(await text(send("/files/a")), "a");
  assert.equal((await send("/a")).status, 404);
});

Deno.test("the base path of the site's root is no base path", () => {
  assert.equal(new App({ basePath: "/" }).config.basePath, "");
  assert.deepEqual(new App().config, {
    root: ".",
    basePath: "",
    mode: "production",
    trustProxy: false,
  });
});

Deno.test("listen() takes the first free port from 8000 to 8019", async () => {
  const stop = new AbortController();
  const app = new App().get("/", () => new Response("listening"));
  const ports: number[] = [];
  for (let i = 0; i < 2; i++) {
    await app.listen({
      hostname: "127.0.0.1",
      signal: stop.signal,
      onListen: ({ port }) => void ports.push(port),
    });
  }
  const [first = 0, second = 0] = ports;
  assert.ok(8000 <= first && first < second && second <= 8019, String(ports));
  assert.equal(await text(fetch(`http://127.0.0.1:${second}/`)), "listening");
  stop.abort();
});
