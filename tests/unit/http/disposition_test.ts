import assert from "node:assert/strict";
import { wellFormedName } from "../../../lib/shared/entry_names.ts";
import { disposition } from "../../../lib/server/http/response/downloads.ts";
import { character, fc } from "../../support/run/property.ts";

Deno.test("disposition() cannot be ended or split by a name", () => {
  const name = 'a"; filename=b.exe\r\nSet-Cookie: auth=x\u2028\0\\.txt';
  const value = disposition("attachment", name);
  assert.equal(
    value,
    'attachment; filename="a_; filename=b.exe__Set-Cookie: auth=x___.txt"; ' +
      "filename*=UTF-8''a%22%3B%20filename%3Db.exe%0D%0ASet-Cookie%3A%20auth%3Dx%E2%80%A8%00%5C.txt",
  );
});

Deno.test("disposition() gives an ASCII name and the whole name", () => {
  assert.equal(
    disposition("inline", "日本 (naïve)'s*.txt"),
    'inline; filename="__ (na_ve)\'s*.txt"; ' +
      "filename*=UTF-8''%E6%97%A5%E6%9C%AC%20%28na%C3%AFve%29%27s%2A.txt",
  );
});

Deno.test("disposition() is always a legal header that gives the name back", () => {
  fc.assert(fc.property(fc.string({ unit: character, maxLength: 12 }), (name) => {
    const value = disposition("attachment", name);
    assert.equal(new Headers({ "content-disposition": value }).get("content-disposition"), value);
    const [, plain, extended] =
      /^attachment; filename="([^"\\]*)"; filename\*=UTF-8''([\w.!#$&+^`|~%-]*)$/.exec(value) ?? [];
    assert.match(plain ?? "missing\n", /^[ -~]*$/);
    assert.equal(decodeURIComponent(extended ?? "missing"), wellFormedName(name).toWellFormed());
  }));
});
