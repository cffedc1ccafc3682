import assert from "node:assert/strict";
import { App, staticFiles } from "fresh";
import { built, project, quietConsole, type Send } from "./support/project.ts";

const COUNTER = `export default ({ start }) => <button>{start}</button>;`;

async function site(files: Record<string, string>): Promise<Send & AsyncDisposable> {
  const made = await project({
    "routes/_error.tsx": `export default ({ error }) => <p>{error.message}</p>;`,
    ...files,
  });
  const send = await built(made.root);
  return Object.assign(send, { [Symbol.asyncDispose]: made[Symbol.asyncDispose] });
}

/** The body of a page without its script. */
async function body(response: Promise<Response>): Promise<string> {
  const html = await (await response).text();
  return (/<body>(.*)<\/body>/.exec(html)?.[1] ?? html).replace(/<script.*<\/script>/, "");
}

async function script(response: Promise<Response>): Promise<string> {
  return /<script[^>]*>(.*?)<\/script>/.exec(await (await response).text())?.[1] ?? "";
}

Deno.test("a function among the props of an island is refused with its name and place", async () => {
  using _console = quietConsole();
  await using send = await site({
    "islands/Counter.tsx": COUNTER,
    "routes/index.tsx": `
      import Counter from "../islands/Counter.tsx";
      export default () => <Counter start={1} on={{ click: () => {} }} />;`,
  });
  const response = await send("/");
  assert.equal(response.status, 500);
  assert.match(
    await response.text(),
    /Cannot send the props of island &quot;Counter&quot; \(\.on\.click\)/,
  );
});

Deno.test("props cannot end the script or start a comment in it (CWE-79)", async () => {
  await using send = await site({
    "islands/Counter.tsx": COUNTER,
    "routes/index.tsx": `
      import Counter from "../islands/Counter.tsx";
      export default ({ url }) => <Counter start={url.searchParams.get("q")} />;`,
  });
  for (
    const attack of ["</script><script>alert(1)</script>", "<!--<script>", "]]>", "\u2028'\"\\"]
  ) {
    const html = await (await send(`/?q=${encodeURIComponent(attack)}`)).text();
    assert.equal(html.match(/<script/g)?.length, 1, attack);
    assert.equal(html.match(/<\/script/g)?.length, 1, attack);
    assert.equal(html.match(/<!--(?!\/?frsh:)/g), null, attack);
    const code = /<script[^>]*>(.*)<\/script>/s.exec(html)?.[1] ?? "";
    assert.doesNotMatch(code, /</);
    const literal = /boot\(.*?,("(?:[^"\\]|\\.)*")\);$/s.exec(code)?.[1] ?? "";
    assert.ok(
      JSON.stringify(JSON.parse(JSON.parse(literal))).includes(JSON.stringify(attack).slice(1, -1)),
    );
  }
});

Deno.test("a key cannot end the comment that carries it (CWE-79)", async () => {
  await using send = await site({
    "islands/Counter.tsx": COUNTER,
    "routes/index.tsx": `
      import Counter from "../islands/Counter.tsx";
      export default () => <Counter key="--><script>" start={1} />;`,
  });
  assert.equal(
    await body(send("/")),
    "<!--frsh:island:Counter:0:--%3E%3Cscript%3E--><button>1</button><!--/frsh:island-->",
  );
});

Deno.test("an island is delimited wherever it is rendered, and only once", async () => {
  await using send = await site({
    "islands/Counter.tsx": COUNTER,
    "islands/Outer.tsx": `
      import Counter from "./Counter.tsx";
      export default ({ children }) => <div><Counter start={0} />{children}</div>;`,
    "parts/Deep.tsx": `
      import Counter from "../islands/Counter.tsx";
      export const Deep = () => <span><Counter start={1} /></span>;`,
    "routes/index.tsx": `
      import { Deep } from "../parts/Deep.tsx";
      import Outer from "../islands/Outer.tsx";
      export default () => <main><Deep /><Outer><Deep /></Outer></main>;`,
  });
  assert.equal(
    await body(send("/")),
    "<main><span><!--frsh:island:Counter:0:--><button>1</button><!--/frsh:island--></span>" +
      "<!--frsh:island:Outer:1:--><div><button>0</button>" +
      "<!--frsh:slot:0--><span>" +
      "<!--frsh:island:Counter:2:--><button>1</button><!--/frsh:island-->" +
      "</span><!--/frsh:slot--></div><!--/frsh:island--></main>",
  );
});

Deno.test("markup that an island does not show travels in a template, islands in it too", async () => {
  await using send = await site({
    "islands/Counter.tsx": COUNTER,
    "islands/Hidden.tsx": `export default () => <i />;`,
    "routes/index.tsx": `
      import Counter from "../islands/Counter.tsx";
      import Hidden from "../islands/Hidden.tsx";
      export default () =>
        <Hidden title={<b>t</b>}><Hidden><Counter start={1} /></Hidden></Hidden>;`,
  });
  assert.equal(
    await body(send("/")),
    "<!--frsh:island:Hidden:0:--><i></i><!--/frsh:island-->" +
      '<template id="frsh-slot-0"><b>t</b></template>' +
      '<template id="frsh-slot-1"><!--frsh:island:Hidden:1:--><i></i><!--/frsh:island--></template>' +
      '<template id="frsh-slot-2">' +
      "<!--frsh:island:Counter:2:--><button>1</button><!--/frsh:island--></template>",
  );
});

Deno.test("the page loads the runtime and its own islands, with the nonce and early", async () => {
  await using send = await site({
    "islands/Counter.tsx": COUNTER,
    "islands/Unused.tsx": COUNTER,
    "islands/named.tsx": `export const One = () => <i>1</i>; export const Two = () => <i>2</i>;
      export const text = "no island";`,
    "routes/index.tsx": `
      import Counter from "../islands/Counter.tsx";
      import { Two } from "../islands/named.tsx";
      export default () => <main><Two /><Counter start={1} /><Two /></main>;`,
  });
  const response = await send("/");
  const nonce = Reflect.get(response, Symbol.for("__freshNonce"));
  const [, prefix] = /<([^>]*)fresh-runtime.js>/.exec(response.headers.get("link") ?? "") ?? [];
  assert.match(prefix ?? "", /^\/_fresh\/js\/[0-9a-f]{40}\/$/);
  assert.equal(
    response.headers.get("link"),
    ["fresh-runtime.js", "named.js", "Counter.js"]
      .map((name) => `<${prefix}${name}>; rel="modulepreload"; as="script"`)
      .join(", "),
  );
  assert.ok(
    (await response.text()).endsWith(
      `<script type="module" nonce="${nonce}">import{boot}from"${prefix}fresh-runtime.js";` +
        `import{Two as i0}from"${prefix}named.js";` +
        `import{default as i1}from"${prefix}Counter.js";` +
        `boot({"Two":i0,"Counter":i1},"[[1,2,4],{},{\\"start\\":3},1,{}]");</script></body></html>`,
    ),
  );
});

Deno.test("a page without islands ships no script", async () => {
  await using send = await site({
    "islands/Counter.tsx": COUNTER,
    "routes/index.tsx": `export default () => <p>plain</p>;`,
  });
  const response = await send("/");
  assert.equal(response.headers.get("link"), null);
  assert.doesNotMatch(await response.text(), /<script/);
});

Deno.test("scripts and preloads honour the base path that is set when the app is made", async () => {
  await using made = await project({
    "islands/Counter.tsx": COUNTER,
    "routes/index.tsx": `
      import Counter from "../islands/Counter.tsx";
      export default () => <Counter start={1} />;`,
  });
  const app = new App({ basePath: "/base" }).use(staticFiles()).fsRoutes();
  const send = await built(made.root, app);
  const response = await send("/base");
  assert.match(response.headers.get("link") ?? "", /^<\/base\/_fresh\/js\//);
  assert.match(await script(send("/base")), /^import{boot}from"\/base\/_fresh\/js\//);
  const [, path = ""] = /from"([^"]*)"/.exec(await script(send("/base"))) ?? [];
  assert.equal((await send(path)).status, 200);
});

Deno.test("islands of the same name in different folders have names of their own", async () => {
  await using send = await site({
    "islands/Counter.tsx": COUNTER,
    "islands/deep/counter.tsx": COUNTER,
    "routes/(_islands)/Counter.tsx": COUNTER,
    "islands/my-island.v2.tsx": COUNTER,
    "islands/1st.tsx": COUNTER,
    "routes/index.tsx": `
      import A from "../islands/Counter.tsx";
      import B from "../islands/deep/counter.tsx";
      import C from "./(_islands)/Counter.tsx";
      import D from "../islands/my-island.v2.tsx";
      import E from "../islands/1st.tsx";
      export default () => <p>{[A, B, C, D, E].map((I) => <I key="" start={1} />)}</p>;`,
  });
  const names = (await body(send("/"))).match(/(?<=frsh:island:)\w+/g) ?? [];
  assert.equal(new Set(names).size, 5);
  assert.deepEqual(names.toSorted(), ["Counter", "Counter_2", "_1st", "counter_1", "my_island_v2"]);
});

Deno.test("an island that is cloned keeps its key and gets the props that are added", async () => {
  await using send = await site({
    "islands/Counter.tsx": COUNTER,
    "routes/index.tsx": `
      import { cloneElement } from "preact";
      import Counter from "../islands/Counter.tsx";
      export default () => cloneElement(<Counter key="k" start={1} />, { start: 2 });`,
  });
  assert.equal(
    await body(send("/")),
    "<!--frsh:island:Counter:0:k--><button>2</button><!--/frsh:island-->",
  );
});

Deno.test("an island that is rendered outside of a page is an ordinary component", async () => {
  const { renderToString } = await import("preact-render-to-string");
  const { default: Counter } = await import("./fixture/islands/Counter.tsx");
  assert.equal(renderToString(<Counter start={2} />), '<button type="button">2</button>');
});
