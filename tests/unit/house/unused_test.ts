import assert from "node:assert/strict";
import { join } from "node:path";
import { filesBelow } from "../../support/disks/files.ts";
import { readSources, withoutComments } from "../../support/run/imports.ts";

const top = new URL("../../../", import.meta.url);
const sources = await readSources(top);
for (const name of ["client_types.ts", "generate.ts"]) {
  sources.set(`docs/${name}`, Deno.readTextFileSync(new URL(`docs/${name}`, top)));
}
const code = new Map([...sources].map(([path, text]) => [path, withoutComments(text)]));

/** The modules that use each word. */
const users = new Map<string, Set<string>>();
for (const [path, text] of code) {
  for (const [word] of text.matchAll(/[\w-]+/g)) {
    const found = users.get(word);
    if (found) found.add(path);
    else users.set(word, new Set([path]));
  }
}

/** An exported declaration. Records are exported for the list of all; Fresh imports routes. */
const EXPORT =
  /^export (?:default )?(?:async )?(function\*?|const|let|class|interface|type) (\w+)\b(?! = new Collection)/gm;

Deno.test("each export is used: a value by another module, a type at all", () => {
  const unused: string[] = [];
  for (const [path, text] of code) {
    if (/^(?:islands|routes)\//.test(path)) continue;
    for (const [, kind = "", name = ""] of text.matchAll(EXPORT)) {
      const isType = kind === "interface" || kind === "type";
      const isUsed = (users.get(name)?.size ?? 0) > 1 ||
        isType && [...text.matchAll(new RegExp(`\\b${name}\\b`, "g"))].length > 1;
      if (!isUsed) unused.push(`${path}: ${name}`);
    }
  }
  assert.deepEqual(unused, []);
});

/** Classes of packages, and those whose names are put together by the code. */
const FOREIGN =
  /^(?:cm-|annotationLayer|appended|endOfContent|linkAnnotation|markedContent|selecting|textLayer)/;
const MADE = /^(?:button--|viewer__arrow--)/;

Deno.test("each class of a style sheet is in the code of a page", () => {
  const unused: string[] = [];
  for (const folder of ["components", "lib/client", "static"]) {
    const path = new URL(folder, top).pathname;
    for (const name of filesBelow(path).filter((name) => name.endsWith(".css"))) {
      const sheet = Deno.readTextFileSync(join(path, name))
        .replace(/\/\*[^]*?\*\/|"[^"]*"|url\([^)]*\)/g, "");
      for (const [, used = ""] of sheet.matchAll(/\.([a-z][\w-]*)/gi)) {
        if (FOREIGN.test(used) || MADE.test(used)) continue;
        const isUsed = [...users.get(used) ?? []].some((path) => !path.startsWith("tests/"));
        if (!isUsed) unused.push(`${folder}/${name}: ${used}`);
      }
    }
  }
  assert.deepEqual(unused, []);
});
