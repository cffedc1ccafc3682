import assert from "node:assert/strict";
import type { Import } from "../../support/run/imports.ts";
import { NearestTests } from "../../mutants/nearest.ts";

const edge = (from: string, to: string): Import => ({ from, to, kind: "run" });

const imports = [
  edge("tests/unit/core/kv/store_test.ts", "lib/server/core/kv/store.ts"),
  edge("lib/server/features/links/shares/share.ts", "lib/server/core/kv/store.ts"),
  edge(
    "tests/unit/features/links/shares/share_test.ts",
    "lib/server/features/links/shares/share.ts",
  ),
  edge("tests/support/app.ts", "lib/server/features/links/shares/share.ts"),
  edge("tests/routes/shares/share_test.ts", "tests/support/app.ts"),
  edge("tests/routes/users/user_test.ts", "tests/support/app.ts"),
  edge("tests/e2e/share_test.ts", "tests/support/app.ts"),
  edge(
    "tests/unit/features/accounts/users/user_test.ts",
    "lib/server/features/accounts/users/user.ts",
  ),
];

Deno.test("the tests that import a file come first, then those that are about the same", () => {
  const nearest = new NearestTests(imports);
  assert.deepEqual(nearest.of("lib/server/features/links/shares/share.ts"), [
    "tests/unit/features/links/shares/share_test.ts",
    "tests/routes/shares/share_test.ts",
    "tests/routes/users/user_test.ts",
  ]);
  assert.equal(nearest.of("lib/server/core/kv/store.ts")[0], "tests/unit/core/kv/store_test.ts");
});

Deno.test("tests that do not load a file, or need a browser or a server, are left out", () => {
  const nearest = new NearestTests(imports);
  assert.deepEqual(nearest.of("lib/server/features/accounts/users/user.ts"), [
    "tests/unit/features/accounts/users/user_test.ts",
  ]);
  assert.deepEqual(nearest.of("lib/server/none.ts"), []);
});
