import assert from "node:assert/strict";
import { admitSave } from "../../../lib/server/http/request/visitor_limits.ts";

const mebibyte = new Uint8Array(1024 ** 2);

/** Saves so many mebibytes, from an address by a share. */
function save(address: string, share: string, mebibytes: number): void {
  const take = admitSave({ address, share }, "Cannot save");
  for (let count = 0; count < mebibytes; count++) take(mebibyte);
}

const refused = { code: "throttled", message: /^Cannot save: visitors save too much at once/ };

Deno.test("the bytes of saves by one share have a limit, from however many addresses", () => {
  for (let turn = 1; turn <= 5; turn++) save(`192.0.2.${turn}`, "one", 110);
  assert.throws(() => save("192.0.2.6", "one", 1), refused);
  save("192.0.2.6", "another", 1);
  save("192.0.2.1", "another", 1);
});

Deno.test("the bytes of saves from one address have a limit, by however many shares", () => {
  save("192.0.2.10", "three", 60);
  save("192.0.2.10", "four", 90);
  assert.throws(() => save("192.0.2.10", "five", 1), refused);
  save("192.0.2.11", "five", 1);
});

Deno.test("addresses of one household count as one", () => {
  save("2001:db8::1", "six", 160);
  assert.throws(() => save("2001:db8::ffff", "seven", 1), refused);
});
