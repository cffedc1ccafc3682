import assert from "node:assert/strict";
import { migrations } from "../../../../lib/server/core/kv/schema.ts";
import {
  changedRecords,
  presentShapes,
  recordedShapes,
} from "../../../support/records/record_shapes.ts";

const script = "deno run -A tests/support/records/record_shapes.ts";

Deno.test("a record changes only with the number of the schema, or with a reason", async () => {
  const { records } = await recordedShapes();
  assert.deepEqual(
    changedRecords(records, await presentShapes()),
    [],
    `these records changed: raise the schema (lib/server/core/kv/schema.ts) if the last release would ` +
      `misread one, then run ${script}`,
  );
});

Deno.test("the recorded shapes are those of the present schema", async () => {
  const { schema } = await recordedShapes();
  assert.equal(schema, migrations.length, `run ${script}`);
});

Deno.test("the digest of a record follows the types that it names, and its keys", async () => {
  const shapes = await presentShapes();
  const [users, groups, names, settings] = ["users", "groups", "user_names", "settings"]
    .map((name) => shapes[name]);
  assert.equal(new Set([users, groups, names, settings]).size, 4);
  assert.ok(Object.values(shapes).every((digest) => /^[0-9a-f]{16}$/.test(digest)));
  assert.deepEqual(changedRecords(shapes, { ...shapes, users: "other" }), ["users"]);
  const { users: _, ...without } = shapes;
  assert.deepEqual(changedRecords(without, shapes), ["users"]);
});
