import assert from "node:assert/strict";
import { documentStem } from "../../../lib/shared/document_kinds.ts";

Deno.test("the extension of a new document is typed or left out, and is there once", () => {
  const names = {
    ...{ "plan": "plan", "plan.docx": "plan", "Plan.DOCX ": "Plan", " a b ": "a b" },
    ...{ "plan.odt": "plan.odt", "v1.2": "v1.2", "docx": "docx", ".docx": "", " ": "" },
  };
  for (const [typed, stem] of Object.entries(names)) {
    assert.equal(documentStem(typed, "document", "ooxml"), stem, typed);
  }
  assert.equal(documentStem("plan.odt", "document", "odf"), "plan");
});
