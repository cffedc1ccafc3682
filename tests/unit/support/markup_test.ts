import assert from "node:assert/strict";
import { assertProbeIsText, markupProbe, slashlessProbe } from "../../support/data/markup.ts";

const entities = (text: string) =>
  text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll('"', "&quot;");
const json = JSON.stringify(markupProbe);

const holes: Record<string, string> = {
  "a text": `<p>${markupProbe}</p>`,
  "a text without a slash": `<p>${slashlessProbe}</p>`,
  "a title": `<title>${markupProbe}</title>`,
  "a comment": `<!--${markupProbe}-->`,
  "a comment without a slash": `<!--${slashlessProbe}-->`,
  "an attribute": `<p title="${markupProbe}"></p>`,
  "an attribute in single quotes": `<p title='${markupProbe}'></p>`,
  "an attribute with its quotes alone bare": `<p title="${markupProbe.replaceAll("<", "&lt;")}">`,
  "a template": `<template><p>${markupProbe}</p></template>`,
  "a script, as JSON": `<script>const a = ${json};</script>`,
  "a script, as a string": `<script>const a = "${slashlessProbe}";</script>`,
  "a block of JSON": `<script type="application/json">${json}</script>`,
};

const safe: Record<string, string> = {
  "a text": `<p>${entities(markupProbe)}</p>`,
  "a title": `<title>${entities(markupProbe)}</title>`,
  "an attribute": `<p title="${entities(markupProbe)}"></p>`,
  "an attribute with bare angles": `<p title="${markupProbe.replaceAll('"', "&#34;")}"></p>`,
  "an address": `<a href="/${encodeURIComponent(markupProbe)}"></a><p>x-probe</p>`,
  "a script with all angles escaped": `<script>const a = ${
    json.replaceAll("<", "\\u003c")
  };</script>`,
  "a script with its end tag alone escaped": `<script>const a = ${
    json.replaceAll("</script", "<\\/script")
  };</script>`,
  "JSON in a string of a script": `<script>boot(${
    JSON.stringify(json).replaceAll("</script", "<\\/script")
  });</script>`,
};

Deno.test("assertProbeIsText() finds the probe wherever it is more than text", () => {
  for (const [place, html] of Object.entries(holes)) {
    assert.throws(() => assertProbeIsText(html, place), assert.AssertionError, place);
  }
});

Deno.test("assertProbeIsText() sees no hole in any escaping that is right", () => {
  for (const [place, html] of Object.entries(safe)) assertProbeIsText(html, place);
});

Deno.test("assertProbeIsText() fails for a page without the probe", () => {
  assert.throws(() => assertProbeIsText("<p>nothing</p>", "a page"), /tells no name/);
});
