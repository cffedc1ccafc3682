/** New documents, as LibreOffice opens them. */
import assert from "node:assert/strict";
import { join } from "node:path";
import { blankDocument } from "../../lib/client/files_page/actions/blank_documents.ts";
import {
  documentExtension,
  documentFormats,
  documentKinds,
} from "../../lib/shared/document_kinds.ts";
import { ensurePrograms } from "../support/run/debian.ts";

await ensurePrograms({ soffice: "libreoffice" }, "new documents");

Deno.test("LibreOffice opens every new document as one of its kind", async () => {
  const folder = await Deno.makeTempDir();
  try {
    const kinds = new Map<string, string>();
    for (const kind of documentKinds) {
      for (const format of documentFormats) {
        const name = `new-${format}.${documentExtension(kind, format)}`;
        const bytes = await blankDocument(kind, format).bytes();
        await Deno.writeFile(join(folder, name), bytes);
        kinds.set(name, { document: "writer", sheet: "calc", slides: "impress" }[kind]);
      }
    }
    const { success, stdout } = await new Deno.Command("soffice", {
      args: [
        `-env:UserInstallation=file://${folder}/profile`,
        ...["--headless", "--convert-to", "pdf", "--outdir", `${folder}/pages`],
        ...[...kinds.keys()].map((name) => join(folder, name)),
      ],
    }).output();
    assert.ok(success);
    const told = new TextDecoder().decode(stdout);
    for (const [name, program] of kinds) {
      const line = told.split("\n").find((each) => each.includes(`/${name} ->`)) ?? told;
      assert.match(line, new RegExp(`${program}_pdf_Export`), name);
    }
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
});
