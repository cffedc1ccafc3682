import assert from "node:assert/strict";
import {
  formatDimensions,
  formatDuration,
  formatExposure,
  formatTaken,
  placeOf,
} from "../../../../../lib/client/files_page/info/MediaFacts.tsx";

Deno.test("a duration has hours only where there are any", () => {
  assert.deepEqual([0, 7.6, 187, 3_599.4, 3_723].map(formatDuration), [
    "0:00",
    "0:08",
    "3:07",
    "59:59",
    "1:02:03",
  ]);
});

Deno.test("facts of a picture are left out where they are not known", () => {
  assert.equal(formatDimensions({ width: 4032, height: 3024 }, "en"), "4,032 × 3,024");
  assert.equal(formatDimensions({ width: 4032 }, "en"), "");
  const all = { exposure: "1/250", aperture: 2.8, iso: 1600, focalLength: 50 };
  assert.equal(formatExposure(all, "en"), "1/250 s · f/2.8 · ISO 1600 · 50 mm");
  assert.equal(formatExposure({ aperture: 8 }, "de"), "f/8");
  assert.equal(formatExposure({}, "en"), "");
});

Deno.test("the time of a picture is that of its camera, wherever it is shown", () => {
  const taken = "2025-07-01T23:30:00";
  const shown = /^Jul 1, 2025, 11:30\sPM$/;
  assert.match(formatTaken({ taken }, "en"), shown);
  assert.match(formatTaken({ taken, takenZone: "+09:00" }, "en"), shown);
  assert.equal(formatTaken({ taken: "2025-99-99T99:99:99" }, "en"), "");
  assert.equal(formatTaken({}, "en"), "");
});

Deno.test("a place is a text and a link, also on the equator", () => {
  assert.equal(placeOf({ latitude: 1 }), null);
  assert.deepEqual(placeOf({ latitude: 0, longitude: -13.4050001 }), {
    text: "0.00000, -13.40500",
    link: "https://www.openstreetmap.org/?mlat=0.00000&mlon=-13.40500#map=15/0.00000/-13.40500",
  });
});
