/** The server's page of a share and the viewer that replaces it name the same pictures. */
import assert from "node:assert/strict";
import { memoryStorage } from "../../../../../lib/client/base/core/browser_storage.ts";
import { Session } from "../../../../../lib/client/base/session/session.ts";
import { pictureAddresses } from "../../../../../lib/client/screens/preview/preview_source.ts";
import { SharedCalls } from "../../../../../lib/client/screens/share_page/shared_calls.ts";
import { pictureOf, shareLinks } from "../../../../../lib/client/screens/share_page/share_links.ts";
import { ada, fileNamed } from "../../support.ts";

const config = { ResizePreview: true };

Deno.test("the viewer asks for a shared picture at the address that the page has loaded", () => {
  const session = new Session({ storage: memoryStorage(), user: ada });
  const sizes = { small: 1_000, large: 10_000_000 };
  for (const baseUrl of ["", "/base"]) {
    for (const token of ["", "a+b"]) {
      const share = { hash: "h4sh", token };
      const calls = new SharedCalls({ baseUrl, session }, share);
      const api = {
        addressOf: calls.addressOf.bind(calls),
        tryDownload: () => assert.fail(),
        ticket: () => assert.fail(),
      };
      for (const [name, size] of Object.entries(sizes)) {
        for (const extension of [".jpg", ".heic", ".gif"]) {
          for (const path of ["/", `/50% ü/${name}#${extension}`]) {
            const entry = { ...fileNamed(name), extension, size, path };
            const [first] = pictureAddresses(entry, api, config);
            assert.equal(first, pictureOf(entry, shareLinks(baseUrl, share), config));
          }
        }
      }
    }
  }
});
