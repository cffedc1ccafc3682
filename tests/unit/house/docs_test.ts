import assert from "node:assert/strict";
import { posix } from "node:path";
import { architectureReference, declaredIn } from "../../support/run/architecture_reference.ts";
import { type ImportKind, listImports, readSources } from "../../support/run/imports.ts";
import { CLIENT_WINGS, SERVER_WINGS } from "../../support/run/rooms.ts";

const top = new URL("../../../", import.meta.url);
const read = (path: string) => Deno.readTextFileSync(new URL(encodeURI(path), top));

const pages = ["README.md", "CONTRIBUTING.md", "SECURITY.md", "CHANGELOG.md"];
for (const folder of ["docs/", "docs/api/"]) {
  for (const { name } of Deno.readDirSync(new URL(folder, top))) {
    if (name.endsWith(".md")) pages.push(`${folder}${name}`);
  }
}

const architecture = read("docs/architecture.md");
const sources = await readSources(top);
const imports = listImports(sources);

/** The text of a heading's part, up to the next heading of the same or a higher level. */
function section(heading: string): string {
  const [, after = ""] = architecture.split(`\n${heading}\n`);
  assert.notEqual(after, "", `docs/architecture.md lacks "${heading}"`);
  const level = heading.indexOf(" ");
  return after.split(new RegExp(`\n#{2,${level}} `))[0] ?? "";
}

/** The cells of the table in a part, without its head. */
function rowsOf(text: string): string[][] {
  const lines = text.split("\n").filter((line) => line.startsWith("|"));
  return lines.slice(2).map((line) => line.split("|").slice(1, -1).map((cell) => cell.trim()));
}

/** The words in backticks. */
function codeIn(text: string): string[] {
  return [...text.matchAll(/`([^`\n]+)`/g)].map(([, code = ""]) => code);
}

function exists(path: string): boolean {
  try {
    Deno.statSync(new URL(encodeURI(path), top));
    return true;
  } catch {
    return false;
  }
}

const PLACE =
  /^(?:lib|routes|islands|components|tests|bench|deploy|docs|locales|static|\.\w+)\/|^(?:main|dev)\.ts$|^deno\.\w+$/;
const GAP = /[{}*…<> ]/;

for (const page of pages) {
  Deno.test(`${page} names only paths of the repository that exist`, () => {
    const text = read(page);
    const prose = text.replace(/^```[^]*?^```$/gm, "");
    const named = codeIn(prose).filter((code) => PLACE.test(code) && !GAP.test(code))
      .map((code) => exists(code) ? code : posix.join(posix.dirname(page), code));
    const linked = [...prose.matchAll(/\]\(([^)#:]+)(?:#[^)]*)?\)/g)]
      .map(([, target = ""]) => posix.join(posix.dirname(page), target));
    assert.deepEqual([...named, ...linked].filter((path) => !exists(path)), []);
  });
}

const anchorsByPage = new Map<string, Set<string>>();

/** The anchors of a page's headings, as GitHub makes them. */
function anchorsOf(page: string): Set<string> {
  const known = anchorsByPage.get(page);
  if (known) return known;
  const anchors = new Set<string>();
  anchorsByPage.set(page, anchors);
  const prose = read(page).replace(/^```[^]*?^```$/gm, "");
  for (const [, heading = ""] of prose.matchAll(/^#{1,6} (.+)$/gm)) {
    const text = heading.toLowerCase().replace(/[^\p{L}\p{N}\p{M}_ -]/gu, "").replaceAll(" ", "-");
    let anchor = text;
    for (let count = 1; anchors.has(anchor); count++) anchor = `${text}-${count}`;
    anchors.add(anchor);
  }
  return anchors;
}

for (const page of pages) {
  Deno.test(`${page} links only to headings that exist`, () => {
    const prose = read(page).replace(/^```[^]*?^```$/gm, "");
    const broken = [...prose.matchAll(/\]\(([^)#:\s]*)#([^)\s]+)\)/g)]
      .map(([, target = "", anchor = ""]) => ({
        target: target === "" ? page : posix.join(posix.dirname(page), target),
        anchor,
      }))
      .filter(({ target, anchor }) =>
        target.endsWith(".md") && exists(target) && !anchorsOf(target).has(anchor)
      );
    assert.deepEqual(broken.map(({ target, anchor }) => `${target}#${anchor}`), []);
  });
}

/** Whether a text has a part of a message, with at most one word from a gap: `the ${what} is`. */
function hasPart(text: string, part: string): boolean {
  if (text.includes(part)) return true;
  const words = part.split(" ").map((word) => RegExp.escape(word));
  return words.length > 2 && words.some((_, gap) => {
    const pattern = words.map((word, index) => index === gap ? "\\$\\{[^}]+\\}" : word).join(" ");
    return new RegExp(pattern).test(text);
  });
}

Deno.test("docs/troubleshooting.md quotes messages that the program has", () => {
  const texts = [...sources]
    .filter(([path]) => path.startsWith("lib/"))
    .map(([, text]) => text.replace(/\/\*\*[^]*?\*\/|^ *\/\/.*$/gm, ""))
    .map((text) => text.replace(/["`]\s*\+\s*["`]/g, ""));
  const program = [...texts, read("locales/en.json")].join("\n");
  const quoted = [...read("docs/troubleshooting.md").matchAll(/^```text\n([^]*?)^```$/gm)]
    .flatMap(([, block = ""]) => block.trim().split("\n"));
  assert.ok(quoted.length > 50);
  const unknown = quoted.filter((line) =>
    !line.split(/…|: /).every((part) => hasPart(program, part.trim()))
  );
  assert.deepEqual(unknown, []);
});

Deno.test("comments and texts in the product name only modules that exist", () => {
  const named = /\b(?:lib|routes|islands|components|tests|bench)\/[\w./()[\]-]+\.tsx?\b/g;
  const gone: string[] = [];
  for (const [from, text] of sources) {
    if (/^(?:tests|bench|lib\/fresh)\//.test(from)) continue;
    const relative = text.replace(/"\.[^"\n]*"/g, "");
    for (const [path] of relative.matchAll(named)) {
      if (!exists(path)) gone.push(`${from}: ${path}`);
    }
  }
  assert.deepEqual(gone, []);
});

const KINDS: Record<string, readonly ImportKind[]> = {
  "->": ["run", "type"],
  "=>": ["worker"],
};

/** The arrows of a flow that are no import of that kind, each as `from -> to`. */
function wrongArrows(flow: string): string[] {
  const wrong: string[] = [];
  const callers: { depth: number; path: string }[] = [];
  for (const line of flow.split("\n").filter((line) => line.trim() !== "")) {
    const [, indent = "", arrow, path = ""] = /^( *)(?:(->|=>) )?(\S+)/.exec(line) ?? [];
    while ((callers.at(-1)?.depth ?? -1) >= indent.length) callers.pop();
    const from = callers.at(-1)?.path;
    const isFound = arrow === undefined
      ? from === undefined && exists(path)
      : imports.some((each) =>
        each.from === from && each.to === path && KINDS[arrow]?.includes(each.kind)
      );
    if (!isFound) wrong.push(`${from ?? ""} ${arrow ?? ""} ${path}`);
    callers.push({ depth: indent.length, path });
  }
  return wrong;
}

/** The flows by their headings; a text may stand between the two. */
const flows = [...architecture.matchAll(/^### (.+)\n(?:(?!#|```).*\n)*```flow\n([^]*?)^```$/gm)];

Deno.test("docs/architecture.md shows four flows, each with a heading", () => {
  assert.equal(flows.length, 4);
  assert.equal([...architecture.matchAll(/^```flow$/gm)].length, 4);
});

Deno.test("the functions that docs/architecture.md names are in their files", () => {
  const named = [...section("## Where is …?").matchAll(/`(\w+)` in\s`([^`]+)`/g)];
  assert.ok(named.length > 5);
  const gone = named.filter(([, name = "", path = ""]) =>
    !new RegExp(`\\b${name}\\(`).test(read(path))
  );
  assert.deepEqual(gone.map(([where]) => where), []);
});

for (const [, title, flow = ""] of flows) {
  Deno.test(`every arrow of the flow "${title}" is an import`, () => {
    assert.deepEqual(wrongArrows(flow), []);
  });
}

Deno.test("an arrow that is no import, or of another kind, is found", () => {
  const gate = "lib/server/core/access/gate.ts";
  const access = "lib/server/core/access/access.ts";
  assert.deepEqual(wrongArrows(`${gate}  enters\n  -> ${access}`), []);
  assert.deepEqual(wrongArrows(`${access}\n  -> ${gate}`), [`${access} -> ${gate}`]);
  assert.deepEqual(wrongArrows(`${gate}\n  => ${access}`), [`${gate} => ${access}`]);
  assert.deepEqual(wrongArrows("lib/gone.ts"), ["  lib/gone.ts"]);
});

/** The rooms that a part lists: the names before the colon of each line. */
function roomsIn(text: string): string[] {
  return text.split("\n").filter((line) => line.startsWith("- `"))
    .flatMap((line) => codeIn(line.split(": ")[0] ?? "")).sort();
}

for (const [floor, wings] of [["server", SERVER_WINGS], ["browser", CLIENT_WINGS]] as const) {
  Deno.test(`docs/architecture.md lists the rooms of the ${floor}, by wings`, () => {
    const [, ...parts] = section(`### The rooms of the ${floor}`).split(/^#### /m);
    const listed = parts.map((part) => [codeIn(part.split("\n")[0] ?? ""), roomsIn(part)]);
    const real = listed.map(([names]) => [
      names,
      names?.flatMap((wing) => wings[wing]?.map(({ name }) => name) ?? []).sort(),
    ]);
    assert.deepEqual(listed, real);
    assert.deepEqual(listed.flatMap(([names]) => names), Object.keys(wings));
  });
}

Deno.test("docs/architecture.md has at most 20 KB", () => {
  assert.ok(new TextEncoder().encode(architecture).length <= 20_000);
});

Deno.test("docs/architecture-reference.md is what `deno task docs` writes", () => {
  assert.equal(read("docs/architecture-reference.md"), architectureReference(sources));
});

Deno.test("the reference has each Worker with a comment, and each key of the store", () => {
  const reference = architectureReference(sources);
  const rows = rowsOf(reference);
  assert.deepEqual(rows.filter((row) => row.includes("")), []);
  const real = new Set<string>();
  for (const [path, text] of sources) {
    for (const { name } of declaredIn(path, text)) real.add(name);
  }
  const named = new Set(rows.map(([name = ""]) => codeIn(name)[0]));
  assert.deepEqual([...real].filter((key) => !named.has(key)), []);
});
