import assert from "node:assert/strict";
import { formatPermissions } from "../../../../../lib/client/base/core/format_details.ts";

Deno.test("formatPermissions() writes letters and octal digits, whatever kind of entry it is", () => {
  assert.equal(formatPermissions(0o644), "rw-r--r-- (644)");
  assert.equal(formatPermissions(0o40755), "rwxr-xr-x (755)");
  assert.equal(formatPermissions(0), "--------- (000)");
});
