import assert from "node:assert/strict";
import type { Import } from "../../support/run/imports.ts";
import { NearestTests } from "../../mutants/nearest.ts";

const edge = (from: string, to: string): Import => ({ from, to, kind: "run" });

const imports = [
  edge("tests/unit/kv/store_test.ts", "lib/server/kv/store.ts"),
  edge("lib/server/shares/share.ts", "lib/server/kv/store.ts"),
  edge("tests/unit/shares/share_test.ts", "lib/server/shares/share.ts"),
  edge("tests/support/app.ts", "lib/server/shares/share.ts"),
  edge("tests/routes/shares/share_test.ts", "tests/support/app.ts"),
  edge("tests/routes/users/user_test.ts", "tests/support/app.ts"),
  edge("tests/e2e/share_test.ts", "tests/support/app.ts"),
  edge("tests/unit/users/user_test.ts", "lib/server/users/user.ts"),
];

Deno.test("the tests that import a file come first, then those that are about the same", () => {
  const nearest = new NearestTests(imports);
  assert.deepEqual(nearest.of("lib/server/shares/share.ts"), [
    "tests/unit/shares/share_test.ts",
    "tests/routes/shares/share_test.ts",
    "tests/routes/users/user_test.ts",
  ]);
  assert.equal(nearest.of("lib/server/kv/store.ts")[0], "tests/unit/kv/store_test.ts");
});

Deno.test("tests that do not load a file, or need a browser or a server, are left out", () => {
  const nearest = new NearestTests(imports);
  assert.deepEqual(nearest.of("lib/server/users/user.ts"), ["tests/unit/users/user_test.ts"]);
  assert.deepEqual(nearest.of("lib/server/none.ts"), []);
});
