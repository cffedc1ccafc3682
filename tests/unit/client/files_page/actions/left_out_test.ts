import assert from "node:assert/strict";
import { leftOutText } from "../../../../../lib/client/files_page/actions/left_out.ts";
import { wordsOf } from "../../../../../lib/server/http/pages/dictionaries.ts";
import { createI18n } from "../../../../../lib/shared/i18n/i18n.ts";
import { parsePath } from "../../../../../lib/shared/path.ts";
import { errorsOf, setUp } from "./fixture.ts";

const at = (text: string) => parsePath(text).path;
const copied = "Everything else was copied. Pipes, sockets and devices can’t be copied and were " +
  "left out: ";
const moved =
  "Everything else was moved. These pipes, sockets and devices could not be moved and " +
  "stayed: ";
const plain = (text: string) => text.replace(/[\u2068\u2069]/g, "");

Deno.test("a folder that is copied but for pipes counts as copied, and these are named", async () => {
  const leaveOut = (path: string) =>
    path === "/docs/a" ? { count: 2, first: ["deep/socket", "#%?日本 `.txt"] } : undefined;
  const refuse = (_: string, path: string) => path === "/docs/b" ? "not_a_file" : null;
  await using files = setUp(["a", "b", "c"], { there: { "/to": [] }, leaveOut, refuse });
  await files.actions.drop("copy", [at("/docs/a"), at("/docs/b"), at("/docs/c")], at("/to"));
  assert.deepEqual(files.news, ["2 items copied"]);
  assert.deepEqual(errorsOf(files).map(plain), [
    "Couldn’t copy “b”. It isn’t a regular file.",
    `${copied}a/deep/socket, a/#%?日本 \`.txt`,
  ]);
  assert.match(errorsOf(files)[1] ?? "", /\u2068a\/deep\/socket\u2069/);
  assert.deepEqual(files.folders["/to"], ["a", "c"]);
});

Deno.test("of many folders the first names are told in one sentence, and how many more", async () => {
  const first = Array.from({ length: 10 }, (_, index) => `p${index}`);
  await using files = setUp(["a", "b"], {
    there: { "/to": [] },
    leaveOut: (path) => path === "/docs/a" ? { count: 2, first: ["x", "y"] } : { count: 40, first },
  });
  await files.actions.drop("move", [at("/docs/a"), at("/docs/b")], at("/to"));
  assert.deepEqual(files.news, ["2 items moved"]);
  assert.deepEqual(errorsOf(files).map(plain), [`${moved}a/x, a/y, b/p0, b/p1, b/p2 and 37 more`]);
});

Deno.test("names are set apart as the language does it", () => {
  const leftOut = [{ folder: "/a", count: 3, first: ["x", "y"] }];
  const textIn = (locale: string) =>
    plain(leftOutText(createI18n(locale, wordsOf(locale)), "copy", leftOut));
  assert.match(textIn("en"), /: a\/x, a\/y and 1 more$/);
  assert.match(textIn("zh-cn"), /：a\/x、a\/y 等另外 1 项$/);
  assert.match(textIn("de"), /: a\/x, a\/y und 1 weitere$/);
  const inDocs = [{ folder: "/docs", count: 1, first: ["a/x"] }];
  const told = plain(leftOutText(createI18n("en", wordsOf("en")), "archive", inDocs));
  assert.match(told, /^Everything else was compressed\. .*: a\/x$/);
});
