import assert from "node:assert/strict";
import { Marked } from "marked";
import { firstMarkdown } from "../../../../../lib/client/screens/preview/first_markdown.ts";
import { flavour } from "../../../../../lib/client/screens/preview/markdown_flavour.ts";
import { parsePath } from "../../../../../lib/shared/path.ts";

const context = {
  document: parsePath("/a.md").path,
  pageOf: (at: string) => `/files${at}`,
  contentOf: (at: string) => `/raw${at}`,
};

/** The markup of a document, without the ends of lines. */
const shown = (text: string) => firstMarkdown(text, context)?.replaceAll("\n", "") ?? "";

const code = (text: string) => `<pre tabindex="0"><code>${text}</code></pre>`;

Deno.test("front matter is shown as it was written, and is no heading", () => {
  const cases = {
    "---\ntitle: A\ntags: [a, b]\n---\n\n# B\n": `${code("title: Atags: [a, b]")}<h1>B</h1>`,
    "---\r\ntitle: A\r\n---\r\n# B\r\n": `${code("title: A")}<h1>B</h1>`,
    "\ufeff+++\ntitle = 1\n+++\nText\n": `${code("title = 1")}<p>Text</p>`,
    "---\n# of a program\n'a key': 1\n---\n": code("# of a program&#39;a key&#39;: 1"),
    "---\nfence: ~~~~\n---\n": code("fence: ~~~~"),
    "---\n\n# B\n\n---\n": "<hr><h1>B</h1><hr>",
    "---\nText\n---\n": "<hr><h2>Text</h2>",
    "Text\n\n---\na: 1\n---\n": "<p>Text</p><hr><h2>a: 1</h2>",
  };
  for (const [text, markup] of Object.entries(cases)) assert.equal(shown(text), markup, text);
});

Deno.test("footnotes are numbered in their order in the text, and gathered at its end", () => {
  const mark = (number: number) => `<sup><a>${number}</a></sup>`;
  const plain = (text: string) => shown(text).replaceAll(/ href="#[^"]*"/g, "");
  const list = (...items: string[]) =>
    `<hr><ol>${items.map((item) => `<li>${item}</li>`).join("")}</ol>`;
  const cases = {
    "A[^x] b[^1].\n\n[^1]: One *c*\n[^x]: Two\nlines\n\n    More\n\nEnd\n":
      `<p>A${mark(1)} b${mark(2)}.</p><p>End</p>` +
      list("<p>Twolines</p><p>More <a>↩</a></p>", "<p>One <em>c</em> <a>↩</a></p>"),
    "A[^a] and again[^a]\n[^a]: - b\n": `<p>A${mark(1)} and again${mark(1)}</p>` +
      list("<ul><li>b</li></ul> <a>↩</a>"),
    "A[^none] `[^code]`\n\n[^code]: unused\n": "<p>A[^none] <code>[^code]</code></p>" +
      list("<p>unused</p>"),
    "A[^a]\n\n[^a]: see [^a], [^b]: c\n": `<p>A${mark(1)}</p>` +
      list(`<p>see ${mark(1)}, [^b]: c <a>↩</a></p>`),
  };
  for (const [text, markup] of Object.entries(cases)) assert.equal(plain(text), markup, text);
  const [to, back] = shown("A[^x]\n\n[^x]: B\n").match(/#[^"]*/g) ?? [];
  assert.deepEqual([to, back], ["#note-1", "#note-mark-1"]);
});

Deno.test("quotes may be boxes of a kind, and formulas stay as they were written", () => {
  const box = (name: string, text: string) =>
    `<blockquote><p><strong>${name}</strong></p><p>${text}</p></blockquote>`;
  const cases = {
    "> [!NOTE]\n> Text *a*\n": box("Note", "Text <em>a</em>"),
    "> [!warning]  \n> Text\n": box("Warning", "Text"),
    "> [!NOTE] Text\n": "<blockquote><p>[!NOTE] Text</p></blockquote>",
    "> [!OTHER]\n> Text\n": "<blockquote><p>[!OTHER]Text</p></blockquote>",
    "$$\na_b_c\\,d *e* <f>\n$$\n\nText\n": `${code("a_b_c\\,d *e* &lt;f&gt;")}<p>Text</p>`,
    "$$a$$\n": code("a"),
    "It costs $$ or\n\n$$\n": "<p>It costs $$ or</p><p>$$</p>",
  };
  for (const [text, markup] of Object.entries(cases)) assert.equal(shown(text), markup, text);
});

Deno.test("formulas within a line stay as they were written, and prices stay text", () => {
  const cases = {
    "Let $a_1 * b_2 * c_1$, then": "Let <code>a_1 * b_2 * c_1</code>, then",
    "($x$) $y$-axis $$z_1 z_2$$": "(<code>x</code>) <code>y</code>-axis <code>z_1 z_2</code>",
    "A $`a_b < c_d`$ b": "A <code>a_b &lt; c_d</code> b",
    "公式$x_1$是_它_": "公式<code>x_1</code>是_它_",
    "*See $n$* **and $m$**": "<em>See <code>n</code></em> <strong>and <code>m</code></strong>",
    "A $a\\$b$ c": "A <code>a\\$b</code> c",
    "$5 and $6": "$5 and $6",
    "$5-$10, US$5 or 3$5": "$5-$10, US$5 or 3$5",
    "$ a$ and $b $": "$ a$ and $b $",
    "\\$a_b_c$": "$a_b_c$",
    "$HOME/bin:$PATH": "$HOME/bin:$PATH",
    "`$a` or `$b`": "<code>$a</code> or <code>$b</code>",
    "$a `b$ c`": "$a <code>b$ c</code>",
  };
  for (const [text, markup] of Object.entries(cases)) {
    assert.equal(shown(text), `<p>${markup}</p>`, text);
  }
});

Deno.test("marks of notes and formulas that never end take about as long as other text", () => {
  const began = performance.now();
  for (const part of ["[^", "[^a]: ", "$$a\n", "$$\n\n", "[^a]\n", "> [!NOTE]\n", "$a ", "$a*b "]) {
    new Marked({ gfm: true }, flavour()).parse(part.repeat(20_000));
  }
  new Marked({ gfm: true }, flavour()).parse(`---\n${"\n".repeat(100_000)}# a\n`);
  assert.ok(performance.now() - began < 15_000);
});
