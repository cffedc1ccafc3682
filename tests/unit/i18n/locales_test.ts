import assert from "node:assert/strict";
import { availableLocales } from "../../../lib/server/http/pages/dictionaries.ts";
import { localeNames } from "../../../lib/shared/i18n/locale_names.ts";
import { chooseLocale, directionOf, languageTag } from "../../../lib/shared/i18n/locales.ts";

const available = ["ar", "de", "en", "nl-be", "pt", "pt-br", "sv-se", "ua", "zh-cn", "zh-tw"];

const choose = (acceptLanguage: string | null, chosen?: string) =>
  chooseLocale({ chosen, acceptLanguage }, available);

Deno.test("chooseLocale() falls back to English", () => {
  for (const header of [null, "", "xx", "*", ";q=1", ",,,", "de;q=0", "\0"]) {
    assert.equal(choose(header), "en", JSON.stringify(header));
  }
});

Deno.test("chooseLocale() takes the user's choice, unless there are no words for it", () => {
  assert.equal(choose("de", "pt-br"), "pt-br");
  assert.equal(choose("de", "PT-BR"), "pt-br");
  assert.equal(choose("de", "tlh"), "de");
  assert.equal(choose("de", "../../secrets"), "de");
});

Deno.test("chooseLocale() follows the weights of Accept-Language", () => {
  assert.equal(choose("de;q=0.5, pt-BR;q=0.9, en;q=0.1"), "pt-br");
  assert.equal(choose("fr, de;q=0.8"), "de");
});

Deno.test("chooseLocale() finds a locale by its language tag or by its language", () => {
  assert.equal(choose("de-AT"), "de");
  assert.equal(choose("uk"), "ua");
  assert.equal(choose("sv"), "sv-se");
  assert.equal(choose("nl-NL"), "nl-be");
  assert.equal(choose("pt-PT"), "pt");
});

Deno.test("chooseLocale() tells the scripts of Chinese apart", () => {
  assert.equal(choose("zh-Hant-HK"), "zh-tw");
  assert.equal(choose("zh-HK"), "zh-tw");
  assert.equal(choose("zh-TW"), "zh-tw");
  assert.equal(choose("zh"), "zh-cn");
  assert.equal(choose("zh-Hans"), "zh-cn");
});

Deno.test("chooseLocale() is quick with a header that is meant to be slow", () => {
  const start = performance.now();
  choose("a-".repeat(500_000));
  choose(",".repeat(1_000_000));
  assert.ok(performance.now() - start < 200);
});

Deno.test("every locale of the product has a tag and a direction that Intl knows, and a name", () => {
  for (const locale of availableLocales()) {
    const tag = languageTag(locale);
    assert.equal(Intl.getCanonicalLocales(tag)[0], tag);
    const { direction } = new Intl.Locale(tag).getTextInfo();
    assert.equal(directionOf(locale), direction, locale);
    assert.ok(localeNames[locale], `lib/shared/i18n/locale_names.ts lacks ${locale}`);
  }
  assert.equal(directionOf("ar"), "rtl");
});
