import assert from "node:assert/strict";
import { computed, Signal, signal } from "@preact/signals";
import { reviveProps, serialiseProps, SlotRef } from "../../lib/fresh/src/jsonify.ts";
import { fc } from "../support/run/property.ts";

function roundTrip(value: unknown): unknown {
  return reviveProps(serialiseProps([{ value }]))[0]?.value;
}

Deno.test("what cannot be sent is refused", () => {
  assert.throws(() => serialiseProps([{ call: () => {} }]), /function/);
  assert.throws(() => serialiseProps([{ name: Symbol("s") }]), /symbol|non-POJO/i);
  assert.throws(() => serialiseProps([{ value: JSON.parse('{"__proto__":1}') }]), /__proto__/);
});

Deno.test("any JSON value arrives as it was sent, without a < on the way", () => {
  const values = fc.jsonValue({ noUnicodeString: false })
    .filter((value) => !JSON.stringify(value).includes('"__proto__":'));
  fc.assert(fc.property(values, (value) => {
    const text = serialiseProps([{ value } as Record<string, unknown>]);
    assert.doesNotMatch(text, /</);
    assert.deepEqual(reviveProps(text), [{ value }]);
  }));
});

Deno.test("the special values of the language arrive as they were sent", () => {
  const values: unknown[] = [
    NaN,
    Infinity,
    -Infinity,
    -0,
    undefined,
    null,
    10n ** 30n,
    new Date(5),
    new URL("https://a.example/?b#c"),
    /a\/b/gi,
    new Map<unknown, unknown>([["a", new Set([1, "1"])]]),
    new Uint8Array([0, 255]),
  ];
  for (const value of values) assert.deepStrictEqual(roundTrip(value), value);
  assert.ok(Object.is(roundTrip(-0), -0));
  assert.ok(Number.isNaN((roundTrip(new Date(NaN)) as Date).getTime()));
});

Deno.test("holes of an array stay holes", () => {
  const holes = new Array(3);
  holes[1] = "middle";
  assert.deepEqual(Object.keys(roundTrip(holes) as unknown[]), ["1"]);
});

Deno.test("values of Temporal arrive as they were sent", () => {
  const instant = Temporal.Instant.from("2026-01-02T03:04:05Z");
  const arrived = roundTrip(instant);
  assert.ok(arrived instanceof Temporal.Instant);
  assert.ok(arrived.equals(instant));
});

Deno.test("cycles and shared references are kept, across islands too", () => {
  interface Loop {
    self?: Loop;
  }
  const loop: Loop = {};
  loop.self = loop;
  const revived = roundTrip(loop) as Loop;
  assert.equal(revived.self, revived);
  const shared = { x: 1 };
  const [first, second] = reviveProps(serialiseProps([{ shared }, { shared }]));
  assert.equal(first?.shared, second?.shared);
});

Deno.test("a signal stays a signal, and one signal stays one", () => {
  const count = signal(0);
  const [first, second] = reviveProps(serialiseProps([{ count }, { count }]));
  assert.ok(first?.count instanceof Signal);
  assert.equal(first.count, second?.count);
  first.count.value = 5;
  assert.equal((second?.count as Signal).value, 5);
});

Deno.test("a signal can hold any value, also one that is false", () => {
  for (const value of [0, "", false, null, undefined, { deep: [1] }]) {
    assert.deepEqual((roundTrip(signal(value)) as Signal).value, value);
  }
  const nested = roundTrip(signal(signal(1))) as Signal<Signal<number>>;
  assert.equal(nested.value.value, 1);
});

Deno.test("a computed signal arrives with its value, and cannot be written", () => {
  const arrived = roundTrip(computed(() => 7)) as Signal<number>;
  assert.equal(arrived.value, 7);
  assert.throws(() => (arrived.value = 8));
});

Deno.test("an instance of a class arrives as a plain object", () => {
  class Point {
    x = 1;
  }
  assert.deepStrictEqual(roundTrip(new Point()), { x: 1 });
});

Deno.test("a reference to a slot arrives as one", () => {
  const slot = roundTrip(new SlotRef(3, "children"));
  assert.ok(slot instanceof SlotRef);
  assert.equal(slot.id, 3);
  assert.equal(slot.name, "children");
});
