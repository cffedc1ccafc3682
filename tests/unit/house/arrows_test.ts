import assert from "node:assert/strict";
import { findCircles, loadedWith, locate, problemOf } from "../../support/run/arrows.ts";
import { type Import, listImports, readSources } from "../../support/run/imports.ts";
import { CLIENT_WINGS, PROVIDED, type Room, SERVER_WINGS } from "../../support/run/rooms.ts";

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

const floors: [floor: string, wings: Readonly<Record<string, readonly Room[]>>][] = [
  ["server", SERVER_WINGS],
  ["client", CLIENT_WINGS],
];

for (const [floor, wings] of floors) {
  const list = Object.values(wings).flat();
  const inside = [...sources.keys()].filter((path) => path.startsWith(`lib/${floor}/`));

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

  Deno.test(`the ${floor} lies in the wings of its table, and has no other folders`, () => {
    const isInWing = (path: string) => wings[path.split("/")[2] ?? ""] !== undefined;
    assert.deepEqual(inside.filter((path) => !isInWing(path)), []);
  });

  for (const [wing, rooms] of Object.entries(wings)) {
    Deno.test(`the wing ${wing} of the ${floor} has the rooms of its part of the table`, () => {
      const here = inside.filter((path) => path.split("/")[2] === wing);
      const found = new Set(here.map((path) => locate(path)?.room));
      assert.deepEqual([...found].sort(), rooms.map(({ name }) => name).sort());
    });
  }

  Deno.test(`a room of the ${floor} is in need of every other that the table lets it use`, () => {
    const needed = new Set<string>();
    for (const { from, to, kind } of imports) {
      const [user, used] = [locate(from), locate(to)];
      if (user?.floor !== floor || used?.floor !== floor) continue;
      needed.add(`${user.room} ${kind} ${used.room}`);
    }
    const idle = list.flatMap(({ name, uses, isGiven = [], loads = [], starts = [] }) => {
      const isNeeded = (kinds: string[]) => (room: string) =>
        kinds.some((kind) => needed.has(`${name} ${kind} ${room}`));
      return [
        ...uses.filter((room) => !isNeeded(["run", "lazy", "worker"])(room)),
        ...isGiven.filter((room) => !isNeeded(["type"])(room)),
        ...loads.filter((room) => !isNeeded(["lazy"])(room)),
        ...starts.filter((room) => !isNeeded(["worker"])(room)),
      ].map((room) => `${name} does not need ${room}`);
    });
    assert.deepEqual(idle, []);
  });
}

for (const { hooks, by } of PROVIDED) {
  Deno.test(`every entry of a page that is loaded with ${hooks} is with ${by}, too`, () => {
    const entries = [...sources.keys()].filter((path) => /^(?:islands|routes)\//.test(path));
    const users = entries.map((path) => loadedWith(imports, path)).filter((all) => all.has(hooks));
    assert.ok(users.some((all) => all.has("islands/FilesPage.tsx")));
    assert.deepEqual(users.filter((all) => !all.has(by)).map(([entry]) => entry), []);
  });
}

const planted: [title: string, from: string, to: string, code: string][] = [
  ["shared to the server", "lib/shared/path.ts", "lib/server/core/log/log.ts", `import "%";`],
  [
    "the server to the client",
    "lib/server/http/pages/a.ts",
    "lib/client/base/core/a.ts",
    `import "%";`,
  ],
  [
    "the client to a type of the server",
    "lib/client/base/core/a.ts",
    "lib/server/core/kv/a.ts",
    "T",
  ],
  [
    "a lower room to a higher one",
    "lib/server/core/disk/a.ts",
    "lib/server/core/access/a.ts",
    `import "%";`,
  ],
  ["a lower room to a type above", "lib/server/core/kv/a.ts", "lib/server/http/a.ts", "T"],
  ["an export from above", "lib/server/core/kv/a.ts", "lib/server/http/a.ts", `export * from "%";`],
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
  [
    "a room of the server to a folder of no wing",
    "lib/server/kv/a.ts",
    "lib/server/core/disk/a.ts",
    `import "%";`,
  ],
  [
    "a feature to a room of a feature above",
    "lib/server/features/accounts/users/a.ts",
    "lib/server/features/links/shares/a.ts",
    `import "%";`,
  ],
  ["core to files", "lib/server/core/disk/a.ts", "lib/server/files/upload/a.ts", `import "%";`],
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
    "lib/server/core/disk/a.ts",
    "lib/server/boot/a.ts",
    `new Worker(new URL("%", import.meta.url));`,
  ],
  ["the product to a test", "lib/server/core/kv/a.ts", "tests/support/app.ts", `import "%";`],
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
