import assert from "node:assert/strict";
import { gzipSync } from "node:zlib";
import { type SheetName, SHEETS } from "../../../../lib/server/http/pages/sheets.ts";
import {
  compactCss,
  sheetFiles,
  styleSheet,
} from "../../../../lib/server/http/pages/style_sheet.ts";

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

Deno.test("the styles of every page weigh less than 13 KB as they are sent", () => {
  const { length } = gzipSync(styleSheet("site"));
  assert.ok(length > 1_000, `only ${length} bytes: the styles are missing`);
  assert.ok(length < 13 * 1024, `${length} bytes`);
});

Deno.test("the styles of late code weigh less than 16 KB as they are sent", () => {
  const { length } = gzipSync(styleSheet("late"));
  assert.ok(length > 1_000, `only ${length} bytes: the styles are missing`);
  assert.ok(length < 16 * 1024, `${length} bytes`);
});

Deno.test("the players and the editor of texts have styles of their own", () => {
  const late = new TextDecoder().decode(styleSheet("late"));
  assert.ok(gzipSync(styleSheet("players")).length < 4 * 1024);
  assert.ok(gzipSync(styleSheet("text")).length < 4 * 1024);
  assert.doesNotMatch(late, /\.film__|\.queue__|\.editor__state|\.versions__|\.people__/);
});

Deno.test("the settings and a share have styles of their own, which no other page loads", () => {
  const site = styleSheet("site");
  const settings = styleSheet("settings");
  const share = styleSheet("share");
  assert.ok(gzipSync(settings).length < 5 * 1024);
  assert.ok(gzipSync(share).length < 4 * 1024);
  assert.doesNotMatch(new TextDecoder().decode(site), /\.shared__|\.card__/);
});

Deno.test("the list of sheets names folders and files that are there", () => {
  for (const [sheet, places] of Object.entries(SHEETS)) {
    const files = sheetFiles(sheet as SheetName);
    for (const place of places) {
      assert.ok(files.some((file) => file.startsWith(place)), `${sheet}: ${place} has no styles`);
    }
  }
});

const PAGES: readonly { roots: string[]; sheets: SheetName[] }[] = [
  {
    roots: [
      "islands/FilesPage.tsx",
      "islands/LoginForm.tsx",
      "routes/files/[...path].tsx",
      "routes/login.tsx",
      "routes/(_pages)/render_error.tsx",
    ],
    sheets: ["site"],
  },
  { roots: ["islands/PhotosArea.tsx"], sheets: ["site", "photos"] },
  { roots: ["islands/SettingsArea.tsx", "islands/PlacesArea.tsx"], sheets: ["site", "settings"] },
  { roots: ["routes/share/[...path].tsx"], sheets: ["site", "share"] },
];

for (const { roots, sheets } of PAGES) {
  Deno.test(`what ${roots[0]} loads at first has its styles in ${sheets.join(" and ")}`, async () => {
    const loaded = await classesIn(sheets.flatMap(sheetFiles));
    const sheetsOfCode = ["late", "players", "text"] as const;
    const late = (await classesIn(sheetsOfCode.flatMap(sheetFiles))).difference(loaded);
    assert.ok(late.size > 50, `only ${late.size} late classes`);
    const modules = modulesFrom(roots);
    assert.ok(modules.size > 10, `only ${modules.size} modules`);
    for (const [file, source] of modules) {
      const used = classNamesOf(source).intersection(late);
      assert.deepEqual(
        [...used],
        [],
        `${file} is loaded at first, its styles are in the late sheet`,
      );
    }
  });
}

/** The classes that style sheets have rules for. */
async function classesIn(files: string[]): Promise<Set<string>> {
  const sheets = await Promise.all(files.map((file) => Deno.readTextFile(file)));
  const rules = compactCss(sheets.join("\n")).replace(/\{[^{}]*\}/g, "{}");
  return new Set([...rules.matchAll(/\.([a-z][\w-]*)/g)].map(([, name]) => name ?? ""));
}

/** What the server draws of a file: the page of a file links the late sheet, too. */
const FIRST_LOOK = "lib/client/screens/preview/FirstLook.tsx";

/** Modules by their files: some, and all that they import at once. */
function modulesFrom(roots: string[]): Map<string, string> {
  const found = new Map<string, string>();
  const follow = (file: string) => {
    if (found.has(file) || file === FIRST_LOOK) return;
    const source = Deno.readTextFileSync(file);
    found.set(file, source);
    for (const [, to = ""] of source.matchAll(/^(?:im|ex)port (?!type )[^;]*?from "(\.[^"]+)"/gm)) {
      follow(decodeURIComponent(new URL(to, `file:///${encodeURI(file)}`).pathname.slice(1)));
    }
  };
  roots.forEach(follow);
  return found;
}

/** The words of all `className`s, and all strings that look like the class of a part. */
function classNamesOf(source: string): Set<string> {
  const given = [...source.matchAll(/[cC]lassName=(?:("[^"]*")|\{((?:[^{}]|\{[^}]*\})*)\})/g)]
    .flatMap(([, text, code]) => wordsOf(text ?? code ?? ""));
  return new Set([...given, ...wordsOf(source).filter((word) => word.includes("__"))]);
}

function wordsOf(code: string): string[] {
  return [...code.matchAll(/"([^"\n]*)"|`([^`]*)`/g)]
    .flatMap(([, plain, template]) => (plain ?? template ?? "").split(/[^\w-]+/));
}
