import assert from "node:assert/strict";
import { findCircles, loadedWith, locate, problemOf } from "../../support/run/arrows.ts";
import { type Import, listImports, readSources } from "../../support/run/imports.ts";
import {
  CLIENT_ROOMS,
  CLIENT_WINGS,
  PROVIDED,
  type Room,
  SERVER_ROOMS,
} from "../../support/run/rooms.ts";

const sources = await readSources(new URL("../../../", import.meta.url));
const imports = listImports(sources);

function problemsIn(list: readonly Import[]): string[] {
  return list.flatMap((found) => problemOf(found) ?? []);
}

Deno.test("no import goes up or across: routes, islands, client, server, shared", () => {
  assert.deepEqual(problemsIn(imports), []);
});

Deno.test("no modules of the product need each other to be loaded", () => {
  const product = imports.filter(({ from }) => !/^(tests|bench)\//.test(from));
  assert.deepEqual(findCircles(product), []);
});

const tables: [floor: string, list: readonly Room[], above: readonly string[]][] = [
  ["server", SERVER_ROOMS, ["lib/server/"]],
  ["client", CLIENT_ROOMS, Object.keys(CLIENT_WINGS).map((wing) => `lib/client/${wing}/`)],
];

for (const [floor, list, folders] of tables) {
  Deno.test(`the rooms of the ${floor} use only rooms that stand above them in the table`, () => {
    const above = new Set<string>();
    for (const { name, uses, isGiven = [], loads = [] } of list) {
      for (const used of uses) {
        assert.ok(above.has(used), `${name} uses ${used}, which is below it`);
      }
      for (const given of isGiven) assert.ok(!above.has(given), `${name} may use ${given} anyway`);
      for (const late of loads) assert.ok(!above.has(late), `${name} may use ${late} anyway`);
      above.add(name);
    }
  });

  Deno.test(`every folder of lib/${floor} is in the table, and the table names no other`, () => {
    const inside = [...sources.keys()].filter((path) => path.startsWith(`lib/${floor}/`));
    const rooms = new Set(inside.map((path) => locate(path)?.room));
    assert.deepEqual([...rooms].sort(), list.map(({ name }) => name).sort());
    const isBelow = (path: string) => folders.some((folder) => path.startsWith(folder));
    assert.deepEqual(inside.filter((path) => !isBelow(path)), []);
  });
}

Deno.test("each wing of the client has the folders of its part of the table", () => {
  for (const [wing, list] of Object.entries(CLIENT_WINGS)) {
    const top = `lib/client/${wing}/`;
    const inside = [...sources.keys()].filter((path) => path.startsWith(top));
    const rooms = new Set(inside.map((path) => path.slice(top.length).split("/")[0]));
    assert.deepEqual([...rooms].sort(), list.map(({ name }) => name).sort());
  }
});

Deno.test("a room of the client is in need of every other that the table lets it use", () => {
  const idle = CLIENT_ROOMS.flatMap(({ name, uses, isGiven = [], loads = [] }) => {
    const isNeeded = (kinds: string[]) => (room: string) =>
      imports.some(({ from, to, kind }) =>
        kinds.includes(kind) && [from, to].every((path) => locate(path)?.floor === "client") &&
        locate(from)?.room === name && locate(to)?.room === room
      );
    return [
      ...uses.filter((room) => !isNeeded(["run", "lazy"])(room)),
      ...isGiven.filter((room) => !isNeeded(["type"])(room)),
      ...loads.filter((room) => !isNeeded(["lazy"])(room)),
    ].map((room) => `${name} does not need ${room}`);
  });
  assert.deepEqual(idle, []);
});

for (const { hooks, by } of PROVIDED) {
  Deno.test(`every entry of a page that is loaded with ${hooks} is with ${by}, too`, () => {
    const entries = [...sources.keys()].filter((path) => /^(?:islands|routes)\//.test(path));
    const users = entries.map((path) => loadedWith(imports, path)).filter((all) => all.has(hooks));
    assert.ok(users.length > 5);
    assert.deepEqual(users.filter((all) => !all.has(by)).map(([entry]) => entry), []);
  });
}

const planted: [title: string, from: string, to: string, code: string][] = [
  ["shared to the server", "lib/shared/path.ts", "lib/server/log/log.ts", `import "%";`],
  ["the server to the client", "lib/server/pages/a.ts", "lib/client/base/core/a.ts", `import "%";`],
  ["the client to a type of the server", "lib/client/base/core/a.ts", "lib/server/kv/a.ts", "T"],
  ["a lower room to a higher one", "lib/server/disk/a.ts", "lib/server/access/a.ts", `import "%";`],
  ["a lower room to a type above", "lib/server/kv/a.ts", "lib/server/http/a.ts", "T"],
  ["an export from above", "lib/server/kv/a.ts", "lib/server/http/a.ts", `export * from "%";`],
  [
    "a feature to a page",
    "lib/client/files_page/listing/a.ts",
    "lib/client/screens/settings/a.ts",
    `import "%";`,
  ],
  [
    "core to a feature, late",
    "lib/client/base/core/a.ts",
    "lib/client/files_page/menu/a.ts",
    `await import("%");`,
  ],
  [
    "the listing to the editor",
    "lib/client/files_page/listing/a.ts",
    "lib/client/screens/editor/a.ts",
    `import "%";`,
  ],
  [
    "the base to a type of the files page",
    "lib/client/base/ui/a.ts",
    "lib/client/files_page/menu/a.ts",
    "T",
  ],
  [
    "the files page to a screen, early",
    "lib/client/files_page/layout/a.ts",
    "lib/client/screens/preview/a.ts",
    `import "%";`,
  ],
  [
    "a room of the files page to one above",
    "lib/client/files_page/menu/a.ts",
    "lib/client/files_page/actions/a.ts",
    `import "%";`,
  ],
  ["a room of no wing", "lib/client/base/other/a.ts", "lib/client/base/core/a.ts", `import "%";`],
  [
    "a component to a feature",
    "components/A.tsx",
    "lib/client/files_page/menu/a.ts",
    `import "%";`,
  ],
  ["a feature to an island", "lib/client/files_page/menu/a.ts", "islands/A.tsx", `import "%";`],
  ["the framework to the product", "lib/fresh/a.ts", "lib/shared/path.ts", `import "%";`],
  [
    "a Worker of a higher room",
    "lib/server/disk/a.ts",
    "lib/server/boot/a.ts",
    `new Worker(new URL("%", import.meta.url));`,
  ],
  ["the product to a test", "lib/server/kv/a.ts", "tests/support/app.ts", `import "%";`],
];

for (const [title, from, to, code] of planted) {
  Deno.test(`a planted import is found: ${title}`, () => {
    const specifier = `${"../".repeat(from.split("/").length - 1)}${to}`;
    const text = (code === "T" ? `import type { T } from "%";` : code).replace("%", specifier);
    const found = listImports(new Map([[from, text], [to, ""]]));
    const [problem = ""] = problemsIn(found);
    assert.ok(problem.includes(from) && problem.includes(to), `found: ${problem}`);
  });
}

Deno.test("imports are read as code, not from comments, and types are told from the rest", () => {
  const text = [
    `/** {@link import("./no.ts")} */`,
    `// import "./no.ts";`,
    `import { type A, type B } from "./a.ts";`,
    `import {\n  type C,\n  d,\n} from "./b.ts";`,
    `export { e } from "./c.ts";`,
    `type Late = typeof import("./d.ts");`,
    `const late = () => import("./e.ts");`,
    `import f from "./g.ts";`,
  ].join("\n");
  const names = ["no", "a", "b", "c", "d", "e", "g"];
  const modules = new Map(names.map((name) => [`lib/${name}.ts`, ""]));
  const found = listImports(modules.set("lib/x.ts", text)).map(({ to, kind }) => `${to} ${kind}`);
  assert.deepEqual(found.sort(), [
    "lib/a.ts type",
    "lib/b.ts run",
    "lib/c.ts run",
    "lib/d.ts type",
    "lib/e.ts lazy",
    "lib/g.ts run",
  ]);
});

Deno.test("modules that need each other are found", () => {
  const modules = new Map([
    ["lib/a.ts", `import "./b.ts";`],
    ["lib/b.ts", `import "./c.ts";`],
    ["lib/c.ts", `import "./a.ts";`],
    ["lib/d.ts", `import "./a.ts";`],
  ]);
  assert.deepEqual(findCircles(listImports(modules)), [["lib/a.ts", "lib/b.ts", "lib/c.ts"]]);
});
