import assert from "node:assert/strict";
import { offloadHeader, type OffloadTarget } from "../../../lib/server/http/response/offload.ts";
import { asRealPath } from "../../../lib/server/core/disk/real_path.ts";

const req = new Request("http://cubby.test/api/raw/a");
const nginx: OffloadTarget = { offload: { kind: "nginx", prefix: "/p/" }, root: "/srv/files" };
const sendfile: OffloadTarget = { offload: { kind: "sendfile" }, root: "/srv/files" };

function headerOf(target: OffloadTarget, path: string) {
  const file = { real: asRealPath(path), isInline: false, mediaType: "x/bytes" };
  return offloadHeader(target, { req, ...file });
}

Deno.test("offloadHeader() tells of nothing outside of the served folder", () => {
  for (const path of ["/srv/files", "/srv/files.old/a", "/etc/passwd", "/"]) {
    assert.equal(headerOf(nginx, path), null, path);
    assert.equal(headerOf(sendfile, path), null, path);
  }
});

Deno.test("offloadHeader() leaves out a path that is too long for a header", () => {
  assert.equal(headerOf(nginx, `/srv/files/${"é/".repeat(500)}`), null);
});

Deno.test("offloadHeader() escapes every byte that is not plain", () => {
  const name = "a b%\n#?日\uefe9~";
  const escaped = "a%20b%25%0A%23%3F%E6%97%A5%E9~";
  assert.deepEqual(headerOf(nginx, `/srv/files/x/${name}`), [
    "x-accel-redirect",
    `/p/x/${escaped}`,
  ]);
  assert.deepEqual(headerOf(sendfile, `/srv/files/x/${name}`), [
    "x-sendfile",
    `/srv/files/x/${escaped}`,
  ]);
  assert.deepEqual(headerOf({ ...nginx, root: "/" }, "/x"), ["x-accel-redirect", "/p/x"]);
});
