import assert from "node:assert/strict";
import { gzipSync } from "node:zlib";
import { compactCss, styleSheet } from "../../../lib/server/pages/style_sheet.ts";

Deno.test("compactCss() keeps strings, and blanks that mean something", () => {
  const sheet = `
    /* "not a string" */
    .a :hover,
    .b > .c { /* why */
      content: "/* a, { string; } */  \\" ";
      inset: calc(1px + 2px) 0 /* not; the */ auto; /* and so on */
    }
  `;
  assert.equal(
    compactCss(sheet),
    '.a :hover,.b > .c{content:"/* a, { string; } */  \\" ";inset:calc(1px + 2px) 0 auto}',
  );
});

Deno.test("all styles weigh less than 15 KB as they are sent", async () => {
  const { length } = gzipSync(await styleSheet());
  assert.ok(length > 1_000, `only ${length} bytes: the styles are missing`);
  assert.ok(length < 15 * 1024, `${length} bytes`);
});
