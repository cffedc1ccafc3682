import assert from "node:assert/strict";
import type { JSX } from "preact";
import { App, type Context } from "fresh";
import { asset, assetSrcSet, Head, Partial } from "fresh/runtime";
import { deployment } from "../../lib/fresh/src/runtime/shared_internal.ts";
import { sender } from "./support/project.ts";

const NONCE = Symbol.for("__freshNonce");

/** Renders markup as the page at a path. */
async function render(page: JSX.Element, path = "/", app = new App()): Promise<string> {
  const send = sender(app.get(path, (ctx) => ctx.render(page)));
  return await (await send(path)).text();
}

function nonceOf(response: Response): string {
  return String(Reflect.get(response, NONCE));
}

Deno.test("an element that is cloned keeps what it had and what was added", async () => {
  const { cloneElement } = await import("react");
  const clones = [
    cloneElement(<a href="/x" className="one">old</a>, { title: "t" }, "new"),
    cloneElement(<img src="/a.png" alt="" key="k" />, { className: "two" }),
    cloneElement(<script data-key="own" />, { async: true }),
  ];
  const html = await render(<p>{clones}</p>, "/x");
  const key = `__frsh_c=${deployment.buildId}`;
  assert.ok(
    html.includes(
      `<p><a href="/x" title="t" data-current="true" aria-current="page" class="one">new</a>` +
        `<img src="/a.png?${key}" alt class="two"/>`,
    ),
    html,
  );
  assert.match(html, /<script data-key="own" async nonce="/);
});

Deno.test("render() refuses what is not JSX", async () => {
  const app = new App()
    .onError("*", (ctx) => new Response(String(ctx.error)))
    .get("/", (ctx) => ctx.render("text" as unknown as JSX.Element));
  const text = await (await sender(app)("/")).text();
  assert.equal(text, "Error: Cannot render a page: the value is not JSX");
});

Deno.test("what a page leaves out of the document is added", async () => {
  const head = '<head><meta charset="utf-8"></head>';
  assert.equal(
    await render(<p>a</p>),
    `<!DOCTYPE html><html>${head}<body><p>a</p></body></html>`,
  );
  assert.equal(
    await render(<body class="b">a</body>),
    `<!DOCTYPE html><html>${head}<body class="b">a</body></html>`,
  );
  assert.equal(
    await render(
      <html lang="en">
        <body>a</body>
      </html>,
    ),
    `<!DOCTYPE html><html lang="en">${head}<body>a</body></html>`,
  );
});

Deno.test("a whole document is sent as it is, without any script", async () => {
  const document = (
    <html>
      <head>
        <title>t</title>
      </head>
      <body>a</body>
    </html>
  );
  const send = sender(new App().get("/", (ctx) => ctx.render(document)));
  const response = await send("/");
  assert.equal(
    await response.text(),
    "<!DOCTYPE html><html><head><title>t</title></head><body>a</body></html>",
  );
  assert.equal(response.headers.get("link"), null);
  assert.equal(response.headers.get("content-type"), "text/html; charset=utf-8");
});

Deno.test("layouts and the app wrapper registered in code wrap the page", async () => {
  const app = new App()
    .appWrapper(({ Component, state }) => (
      <html>
        <body data-state={JSON.stringify(state)}>
          <Component />
        </body>
      </html>
    ))
    .layout("/a", ({ Component, url }) => (
      <section id={url.pathname}>
        <Component />
      </section>
    ));
  assert.match(
    await render(<p>page</p>, "/a/b", app),
    /<body data-state="{}"><section id="\/a\/b"><p>page<\/p><\/section><\/body>/,
  );
});

Deno.test("the children of Head replace elements of the head by key, title and attributes", async () => {
  const app = new App().appWrapper(({ Component }) => (
    <html>
      <head>
        <meta name="description" content="of the app" />
        <title>app</title>
        <link rel="icon" href="/a.ico" key="icon" />
      </head>
      <body>
        <Component />
      </body>
    </html>
  ));
  const page = (
    <main>
      <Head>
        <title>first</title>
        <meta name="description" content="of the page" />
        <meta name="robots" content="none" />
      </Head>
      <Head>
        <title>last</title>
        <link rel="icon" href="/b.ico" key="icon" />
      </Head>
    </main>
  );
  const html = await render(page, "/", app);
  assert.equal(
    /<head>(.*)<\/head>/.exec(html)?.[1],
    '<meta name="description" content="of the page"/><title>last</title>' +
      '<link rel="icon" href="/b.ico" data-key="icon"/><meta name="robots" content="none"/>',
  );
  assert.match(html, /<main><\/main>/);
});

Deno.test("Head works without a head of one's own", async () => {
  assert.match(
    await render(
      <Head>
        <title>t</title>
      </Head>,
    ),
    /<head><meta charset="utf-8"><title>t<\/title><\/head>/,
  );
});

Deno.test("a title elsewhere, such as in an SVG, stays where it is", async () => {
  const page = (
    <p>
      <Head>
        <title>page</title>
      </Head>
      <svg>
        <title>picture</title>
      </svg>
    </p>
  );
  assert.match(await render(page), /<svg><title>picture<\/title><\/svg>/);
});

Deno.test("every script and style has the nonce of its own answer", async () => {
  const hoisted = (
    <p>
      <script>1</script>
      <style>{"p{}"}</style>
      <script nonce="own">2</script>
    </p>
  );
  const send = sender(new App().get("/", (ctx) => ctx.render(hoisted)));
  const nonces = new Set<string>();
  for (let i = 0; i < 2; i++) {
    const response = await send("/");
    const nonce = nonceOf(response);
    const html = await response.text();
    assert.match(nonce, /^[0-9a-f]{32}$/);
    assert.ok(html.includes(`<script nonce="${nonce}">1</script>`), html);
    assert.ok(html.includes(`<style nonce="${nonce}">`), html);
    assert.ok(html.includes('<script nonce="own">2</script>'), html);
    nonces.add(nonce);
  }
  assert.equal(nonces.size, 2);
});

Deno.test("scripts that an async page makes have the nonce too", async () => {
  const page = async () => {
    await Promise.resolve();
    return <script>1</script>;
  };
  const response = await sender(new App().route("/", { component: page }))("/");
  const nonce = nonceOf(response);
  assert.ok((await response.text()).includes(`<script nonce="${nonce}">`));
});

Deno.test("links to the page and to folders above it are marked", async () => {
  const page = (
    <nav>
      <a href="/docs/intro/?q#top">1</a>
      <a href="/docs">2</a>
      <a href="/">3</a>
      <a href="/doc">4</a>
      <a href="docs">5</a>
      <a href="https://docs.example/docs/intro">6</a>
      <a href="/docs/intro" aria-current="step">7</a>
      <a href="/docs/intro" aria-current={false}>8</a>
    </nav>
  );
  const links = (await render(page, "/docs/intro")).match(/<a [^>]*>\d/g);
  assert.deepEqual(links, [
    '<a href="/docs/intro/?q#top" data-current="true" aria-current="page">1',
    '<a href="/docs" data-ancestor="true" aria-current="true">2',
    '<a href="/" data-ancestor="true" aria-current="true">3',
    '<a href="/doc">4',
    '<a href="docs">5',
    '<a href="https://docs.example/docs/intro">6',
    '<a href="/docs/intro" aria-current="step" data-current="true">7',
    '<a href="/docs/intro" aria-current="false" data-current="true">8',
  ]);
});

Deno.test("asset() ties paths of the site to the build and leaves the rest alone", async () => {
  await render(<p />);
  const key = `__frsh_c=${deployment.buildId}`;
  assert.equal(asset("/a.css"), `/a.css?${key}`);
  assert.equal(asset("/a.css?x=1#top"), `/a.css?x=1&${key}#top`);
  for (const other of ["a.css", "//cdn.example/a.css", "https://a.example/a.css", `/a?${key}`]) {
    assert.equal(asset(other), other);
  }
});

Deno.test("assetSrcSet() ties each candidate, and leaves an unusual list alone", async () => {
  await render(<p />);
  const key = `__frsh_c=${deployment.buildId}`;
  assert.equal(
    assetSrcSet("/a.png, /b.png 2x,https://c.example/c.png 3x"),
    `/a.png?${key}, /b.png?${key} 2x,https://c.example/c.png 3x`,
  );
  assert.equal(assetSrcSet("/a.png, , /b.png"), "/a.png, , /b.png");
  assert.equal(assetSrcSet("image-set(/a.png)"), "image-set(/a.png)");
});

Deno.test("pictures are tied to the build unless they say otherwise", async () => {
  const html = await render(
    <picture>
      <source srcset="/b.webp 2x" />
      <img src="/a.png" alt="" />
      <img src="/c.png" alt="" data-fresh-disable-lock />
    </picture>,
  );
  const key = `__frsh_c=${deployment.buildId}`;
  assert.ok(html.includes(`srcset="/b.webp?${key} 2x"`), html);
  assert.ok(html.includes(`src="/a.png?${key}"`), html);
  assert.ok(html.includes('src="/c.png"'), html);
});

Deno.test("asset URLs have the base path once, and only where the page puts it", async () => {
  const page = (ctx: Context<unknown>) =>
    ctx.render(
      <p>
        <img src="/a.png" alt="" />
        <img src={`${ctx.config.basePath}/b.png`} alt="" />
        <link rel="stylesheet" href={asset(ctx.config.basePath + "/c.css")} />
      </p>,
    );
  const html = await (await sender(new App({ basePath: "/base" }).get("/", page))("/base")).text();
  const key = `__frsh_c=${deployment.buildId}`;
  for (const path of ["/a.png", "/base/b.png", "/base/c.css"]) {
    assert.ok(html.includes(`"${path}?${key}"`), html);
  }
});

Deno.test("Partial renders its children", async () => {
  assert.match(
    await render(
      <Partial name="a">
        <p>in</p>
      </Partial>,
    ),
    /<body><p>in<\/p><\/body>/,
  );
});

Deno.test("render() takes a status and headers, and can leave the wrappers out", async () => {
  const app = new App()
    .appWrapper(({ Component }) => (
      <html>
        <body id="app">
          <Component />
        </body>
      </html>
    ))
    .layout("*", ({ Component }) => (
      <div id="layout">
        <Component />
      </div>
    ))
    .get("/", (ctx) =>
      ctx.render(<p>a</p>, { status: 202, headers: { "x-own": "1" } }, {
        skipAppWrapper: true,
        skipInheritedLayouts: true,
      }));
  const response = await sender(app)("/");
  assert.equal(response.status, 202);
  assert.equal(response.headers.get("x-own"), "1");
  assert.doesNotMatch(await response.text(), /id=/);
});

Deno.test("style sheets of a route are linked in the head", async () => {
  const app = new App().route("/", { component: () => <p />, css: ["/a.css", "/a.css"] });
  assert.match(
    await (await sender(app)("/")).text(),
    /<head><meta charset="utf-8"><link rel="stylesheet" href="\/a.css"\/><\/head>/,
  );
});
