import assert from "node:assert/strict";
import { readFormat } from "../../../../../lib/server/features/archive/format.ts";
import { archiveFormats } from "../../../../../lib/shared/schemas/choices/choices.ts";
import {
  lastArchiveKind,
  rememberArchiveKind,
} from "../../../../../lib/client/files_page/actions/last_choices.ts";

Deno.test("the server makes each kind of archive that is offered, under its own name", () => {
  for (const kind of archiveFormats) assert.equal(readFormat(kind).extension, `.${kind}`);
});

Deno.test("the last kind is remembered, and anything else that was kept is zip", () => {
  localStorage.clear();
  assert.equal(lastArchiveKind(), "zip");
  rememberArchiveKind("tar.xz");
  assert.equal(lastArchiveKind(), "tar.xz");
  rememberArchiveKind("rar");
  assert.equal(lastArchiveKind(), "zip");
  localStorage.clear();
});
