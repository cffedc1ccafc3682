import assert from "node:assert/strict";
import fc from "fast-check";
import {
  clustersOf,
  moved,
  viewOf,
  zoomed,
} from "../../../../../lib/client/screens/photos/clusters.ts";
import {
  countryAt,
  countryName,
  countryNear,
  pathOf,
  project,
  readWorld,
} from "../../../../../lib/client/screens/photos/world.ts";

const world = readWorld();
const latitude = fc.double({ min: -80, max: 80, noNaN: true });
const longitude = fc.double({ min: -180, max: 180, noNaN: true });
const places = fc.array(fc.tuple(latitude, longitude), { maxLength: 50 }).map((all) => all.flat());

Deno.test("places are in their countries, whose names are in the language of the page", () => {
  const nameAt = (at: [number, number], language: string) => {
    const country = countryAt(world, project(...at));
    return country && countryName(country, language);
  };
  assert.equal(nameAt([52.5, 13.4], "de"), "Deutschland");
  assert.equal(nameAt([35.7, 139.3], "ja"), "日本");
  assert.equal(nameAt([-33.5, 149], "en"), "Australia");
  assert.equal(nameAt([40, -100], "fr"), "États-Unis");
  // Lesotho is a hole in South Africa.
  assert.equal(nameAt([-29.5, 28.2], "en"), "Lesotho");
  // On the coast the outlines are rough, and over the date line they go on.
  assert.equal(nameAt([40.7, -74], "en"), "United States");
  assert.equal(nameAt([66, -172], "en"), "Russia");
  assert.equal(nameAt([66, 178], "en"), "Russia");
  assert.equal(nameAt([0, -30], "en"), undefined);
  // The Azores, which the outlines lack, are named by the nearest coast; the South Pacific is not.
  assert.equal(countryNear(world, project(38.7, -27.2))?.name, "Portugal");
  assert.equal(countryNear(world, project(-45, -125)), undefined);
  assert.equal(countryName({ id: "", name: "Kosovo", polygons: [] }, "en"), "Kosovo");
});

Deno.test("no outline goes across the whole map, but for the one around the pole", () => {
  assert.match(pathOf(world, 1_000), /^[MLZ\d. -]+$/);
  const wide = world.filter(({ polygons }) =>
    polygons.flat().some((ring) =>
      ring.some(([x], at) => Math.abs(x - (ring[at - 1]?.[0] ?? x)) > 0.5)
    )
  );
  assert.deepEqual(wide.filter(({ name }) => name !== "Antarctica"), []);
});

Deno.test("each place is in one cluster, inside its box", () => {
  fc.assert(fc.property(places, fc.double({ min: 0.0005, max: 1, noNaN: true }), (all, cell) => {
    const days = Array.from({ length: all.length / 2 }, (_, index) => index);
    const clusters = clustersOf(all, days, cell);
    assert.equal(clusters.reduce((sum, { count }) => sum + count, 0), all.length / 2);
    for (let index = 0; index < all.length; index += 2) {
      const [north = 0, east = 0] = [all[index], all[index + 1]];
      const within = clusters.filter(({ box: [w, s, e, n] }) =>
        w <= east && east <= e && s <= north && north <= n
      );
      assert.ok(
        within.some(({ days: [first, last] }) => first <= index / 2 && index / 2 <= last),
      );
    }
  }));
});

Deno.test("a cluster has a spot in each country of its photos, however many it has", () => {
  const berlin = Array.from({ length: 5_000 }, (_, at) => [52.5 + at / 1e5, 13.4]).flat();
  const [cluster] = clustersOf([...berlin, 64.1, -21.9, 38.7, -9.1], [], 1);
  const names = cluster?.spots.map((spot) => countryAt(world, spot)?.name);
  assert.deepEqual(names, ["Germany", "Iceland", "Portugal"]);
});

Deno.test("zooming leaves the point under the pointer where it is; moving follows it", () => {
  const view = { x: 0.5, y: 0.5, world: 2_000 };
  const at = { dx: 120, dy: -80 };
  const now = zoomed(view, 2, at);
  assert.equal(now.world, 4_000);
  assert.ok(Math.abs(view.x + at.dx / view.world - (now.x + at.dx / now.world)) < 1e-9);
  assert.deepEqual(moved(view, 200, 0), { ...view, x: 0.4 });
  assert.equal(zoomed(view, 1e9).world, 2 ** 20);
  assert.equal(zoomed(view, 0).world, 256);
});

Deno.test("the first view shows all places", () => {
  fc.assert(fc.property(places, (all) => {
    const { x, y, world } = viewOf(all, 800, 500);
    for (let index = 0; index < all.length; index += 2) {
      const [px, py] = project(all[index] ?? 0, all[index + 1] ?? 0);
      const isWhole = world > 256;
      assert.ok(!isWhole || Math.abs(px - x) * world <= 401 && Math.abs(py - y) * world <= 251);
    }
  }));
});
