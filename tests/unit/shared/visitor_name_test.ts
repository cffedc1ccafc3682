import assert from "node:assert/strict";
import { availableLocales, i18nOf } from "../../../lib/server/http/pages/dictionaries.ts";
import {
  guestName,
  maxVisitorName,
  shownVisitor,
  visitorName,
} from "../../../lib/shared/visitor_name.ts";

Deno.test("a visitor's name is one short line, without what is not seen or turns the line", () => {
  const cases: [typed: string, name: string][] = [
    ["", ""],
    ["  Anna  ", "Anna"],
    ["Anna \n\t of\u00a0 it", "Anna of it"],
    ["\u202eAnna\u202c\u200f\u061c\u2066", "Anna"],
    ["An\u0000na\u0007\u007f", "Anna"],
    ["\u200b\u200d\u2060\ufeff\u115f\u3164\uffa0\u2800\u00ad", ""],
    ["Anna\ufe0f\u{e0041}", "Anna"],
    ["admin (administrator)", "admin administrator"],
    ["admin \uff08guest\uff09 [x] {y}", "admin guest x y"],
    ["\uff21\uff4e\uff4e\uff41", "Anna"],
    ["Zoe\u0301", "Zo\u00e9"],
    ["Z\u0336\u0337\u0338\u0335\u0334x", "Z\u0336\u0337x"],
    ["\ud800Anna", "\ufffdAnna"],
    ["آنا 🙂 日本", "آنا 🙂 日本"],
  ];
  for (const [typed, name] of cases) assert.equal(visitorName(typed), name, JSON.stringify(typed));
  assert.equal([...visitorName("🙂".repeat(200))].length, maxVisitorName);
  assert.equal(visitorName(`${"x".repeat(maxVisitorName - 1)} y`), "x".repeat(maxVisitorName - 1));
});

Deno.test("others read of every visitor that it is a guest, also of one who takes a user's name", () => {
  assert.equal(shownVisitor(visitorName("admin")), "admin (guest)");
  assert.equal(shownVisitor(visitorName("\u202e")), "Guest");
  const long = shownVisitor(visitorName("admin".repeat(50)));
  assert.match(long, / \(guest\)$/);
});

Deno.test("in each language, too, no name is read without the mark behind it", () => {
  for (const locale of availableLocales()) {
    const { t } = i18nOf(locale);
    const unnamed = guestName(t, "");
    assert.ok(unnamed.length > 1, locale);
    for (
      const typed of [
        "Anna",
        "admin",
        "\u202eAdmin\u2066",
        "\u200bAnna\u200d",
        "$t(links.title)",
        "{{name}}",
      ]
    ) {
      const name = visitorName(typed);
      const shown = guestName(t, name);
      assert.ok(shown.startsWith(name), `${locale} ${shown}`);
      // Brackets are in no visitor's name.
      assert.match(shown.slice(name.length), /^ ?[(\uff08].+[)\uff09]$/, `${locale} ${shown}`);
      assert.doesNotMatch(shown, /[\u200b-\u200f\u202a-\u202e\u2066-\u2069]/);
    }
  }
  assert.equal(guestName(i18nOf("en").t, "Anna"), shownVisitor("Anna"));
  assert.equal(guestName(i18nOf("en").t, ""), shownVisitor(""));
  assert.equal(guestName(i18nOf("de").t, "Anna"), "Anna (Gast)");
});
