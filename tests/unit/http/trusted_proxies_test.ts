import assert from "node:assert/strict";
import { isTrusted, readBlocks } from "../../../lib/server/core/config/trusted_proxies.ts";

Deno.test("readBlocks() refuses what is neither an address nor a block", () => {
  for (
    const entry of ["", "proxy", "10.0.0.0/33", "fd00::/129", "10.0.0.0/8/8", "10.0.0.1/", "1.2"]
  ) {
    assert.throws(() => readBlocks([entry]), { message: /: not an address or CIDR block$/ }, entry);
  }
});

Deno.test("isTrusted() trusts nobody by default, and no nonsense", () => {
  assert.equal(isTrusted("127.0.0.1", []), false);
  assert.equal(isTrusted("local", ["0.0.0.0/0", "::/0"]), false);
});

Deno.test("isTrusted() knows addresses and blocks of both families", () => {
  const list = ["192.0.2.7", "10.0.0.0/8", "fd00::/8", "2001:db8::1", " 172.16.0.0/12 "];
  for (const address of ["192.0.2.7", "10.255.0.1", "fd12::9", "2001:db8:0:0::1", "172.31.0.1"]) {
    assert.equal(isTrusted(address, list), true, address);
  }
  for (const address of ["192.0.2.8", "11.0.0.1", "fe80::1", "2001:db8::2", "172.32.0.1"]) {
    assert.equal(isTrusted(address, list), false, address);
  }
  assert.equal(isTrusted("::ffff:10.1.1.1", list), true);
});
