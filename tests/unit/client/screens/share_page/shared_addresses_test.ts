/**
 * The calls on the page of a share: the viewer names the same pictures as the server's page, and a
 * document that stays open keeps the token fresh.
 */
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

Deno.test("a document that stays open is renewed with the token of the share that came last", async () => {
  const session = new Session({ storage: memoryStorage(), user: null });
  const asked: (string | null)[] = [];
  const answers = ["second", "third", undefined];
  const fetch = (address: string) => {
    asked.push(new URL(address, "http://cubby.test").searchParams.get("token"));
    const opened = { address: "http://office.test/", token: "office", expires: 1, right: "edit" };
    return Promise.resolve(Response.json({ ...opened, shareToken: answers.shift() }));
  };
  const calls = new SharedCalls({ baseUrl: "", session, fetch }, { hash: "h4sh", token: "first" });
  for (let round = 0; round < 4; round++) {
    await calls.json("POST /api/office/{path}", { params: { path: "/a.docx" } });
  }
  assert.deepEqual(asked, ["first", "second", "third", "third"]);
});
