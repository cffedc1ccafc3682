import assert from "node:assert/strict";
import { join } from "node:path";
import { availableLocales, wordsOf } from "../../../lib/server/http/pages/dictionaries.ts";
import { createI18n } from "../../../lib/shared/i18n/i18n.ts";
import { languageTag } from "../../../lib/shared/i18n/locales.ts";

const top = new URL("../../../", import.meta.url).pathname;
const PLURAL = /_(zero|one|two|few|many|other)$/;

/** Every key with its text: "files.items_one" and so on. */
function flat(tree: object, prefix = ""): Map<string, string> {
  const texts = new Map<string, string>();
  for (const [key, value] of Object.entries(tree)) {
    if (typeof value === "string") texts.set(prefix + key, value);
    else for (const [below, text] of flat(value, `${prefix}${key}.`)) texts.set(below, text);
  }
  return texts;
}

function* sources(folder: string): Generator<string> {
  for (const { name, isDirectory } of Deno.readDirSync(folder)) {
    const path = join(folder, name);
    if (isDirectory) yield* sources(path);
    else if (/\.tsx?$/.test(name)) yield Deno.readTextFileSync(path);
  }
}

/** What code asks for: whole keys, and the beginnings of keys that end in a value. */
function usedKeys(): { keys: Set<string>; prefixes: Set<string> } {
  const keys = new Set<string>();
  const prefixes = new Set<string>();
  for (
    const folder of [
      "islands",
      "components",
      "routes",
      "lib/client",
      "lib/server/http/pages",
      "lib/shared",
    ]
  ) {
    for (const source of sources(join(top, folder))) {
      for (const [, argument = ""] of source.matchAll(/\bt\(\s*((?:[^(),]|\([^()]*\))+)/g)) {
        for (const [, key = ""] of argument.matchAll(/"([\w.]+)"/g)) keys.add(key);
        for (const [, prefix = ""] of argument.matchAll(/`([\w.]+)\$\{/g)) prefixes.add(prefix);
      }
    }
  }
  return { keys, prefixes };
}

const english = flat(wordsOf("en"));
const names = new Set([...english.keys()].map((key) => key.replace(PLURAL, "")));

Deno.test("the code asks for no key that has no text", () => {
  const { keys, prefixes } = usedKeys();
  assert.ok(keys.size > 30, "the search for keys has found hardly any");
  const missing = [...keys].filter((key) => !names.has(key));
  const empty = [...prefixes].filter((prefix) =>
    ![...names].some((name) => name.startsWith(prefix))
  );
  assert.deepEqual([...missing, ...empty], []);
});

Deno.test("there is no text that the code never asks for", () => {
  const { keys, prefixes } = usedKeys();
  const dead = [...names].filter((name) =>
    !keys.has(name) && ![...prefixes].some((prefix) => name.startsWith(prefix))
  );
  assert.deepEqual(dead, []);
});

Deno.test("every refusal of the server and of the browser has a text, and no other has", () => {
  const codesOf = (file: string, type: string) => {
    const source = Deno.readTextFileSync(join(top, file));
    const [, union = ""] = new RegExp(`export type ${type} =([^;]+);`).exec(source) ?? [];
    return [...union.matchAll(/"(\w+)"/g)].map(([, code = ""]) => code);
  };
  const codes = [
    ...codesOf("lib/shared/errors.ts", "ErrorCode"),
    ...codesOf("lib/shared/result.ts", "FailureCode"),
  ];
  assert.ok(codes.length > 25);
  const named = [...names].filter((name) => name.startsWith("errors.")).map((name) =>
    name.slice(7)
  );
  assert.deepEqual(named.toSorted(), codes.toSorted());
});

Deno.test("the texts are sorted, so that two people adding some rarely collide", () => {
  for (const locale of availableLocales()) {
    const source = Deno.readTextFileSync(join(top, "locales", `${locale}.json`));
    const sorted = (value: unknown): unknown =>
      typeof value !== "object" || value === null ? value : Object.fromEntries(
        Object.entries(value).sort(([a], [b]) => a < b ? -1 : 1).map(([k, v]) => [k, sorted(v)]),
      );
    assert.equal(source, `${JSON.stringify(sorted(JSON.parse(source)), null, 2)}\n`);
  }
});

Deno.test("every locale has the keys of the English texts and the plural forms it needs", () => {
  for (const locale of availableLocales()) {
    const own = flat(JSON.parse(Deno.readTextFileSync(join(top, "locales", `${locale}.json`))));
    const rules = new Intl.PluralRules(languageTag(locale)).resolvedOptions().pluralCategories;
    const needed = [...english.keys()].flatMap((key) =>
      PLURAL.test(key) ? rules.map((rule) => key.replace(PLURAL, `_${rule}`)) : [key]
    );
    assert.deepEqual([...own.keys()].toSorted(), [...new Set(needed)].toSorted(), locale);
  }
});

Deno.test("every locale fills the same gaps as English", () => {
  const gapsOf = (text = "") => [...text.matchAll(/\{\{\s*(\w+)/g)].map(([, gap]) => gap).sort();
  for (const locale of availableLocales()) {
    for (const [key, text] of flat(wordsOf(locale))) {
      const model = english.get(key) ?? english.get(key.replace(PLURAL, "_other"));
      const gaps = gapsOf(text).filter((gap) => gap !== "count");
      assert.deepEqual(gaps, gapsOf(model).filter((gap) => gap !== "count"), `${locale} ${key}`);
    }
  }
});

/** The words of the manner of address that a language does not use. */
const otherManner: Record<string, RegExp> = {
  de:
    /(?<!\p{L})([Dd]u|[Dd]ein\p{L}*|[Dd]ich|[Dd]ir|Lade|Öffne|Wähle|Gib|Melde|Prüfe|[Vv]ersuche (es|später)|erstelle)(?!\p{L})/u,
  es:
    /\b(usted(es)?|introduzca|compruebe|resuelva|int[eé]ntelo|pida|escriba|seleccione|d[eé]jel[oa]|ponga|suelte)\b/i,
  fr: /(?<![\p{L}’-])(tu|ton|tes|toi)(?![\p{L}’-])/iu,
  "nl-be": /\b(u|uw)\b/i,
  pl: /\b(Pan|Pani|Państwa)\b/,
  ro:
    /(?<!\p{L})(tău|tăi|tale|tine|poți|îți|ți|ai|introdu|încearcă|creezi|elimini|ștergi|golești|revoci|dumneavoastră)(?!\p{L})/iu,
  ru: /(?<!\p{L})(ты|тебя|тебе|тво[йяеи]\p{L}*|введи|выбери)(?!\p{L})/iu,
  sk: /(?<!\p{L})(teba|tebe|tvoj\p{L}*|zadaj|skús)(?!\p{L})/iu,
  "sv-se": /(?<!\p{L})(ni|er|ert|era)(?!\p{L})/iu,
  ua: /(?<!\p{L})(ти|тебе|тобі|тво[їя]\p{L}*|введи|вибери)(?!\p{L})/iu,
  "zh-cn": /你/,
  "zh-tw": /你/,
};

Deno.test("every locale speaks to people in one manner", () => {
  for (const [locale, words] of Object.entries(otherManner)) {
    const mixed = [...flat(wordsOf(locale))].filter(([, text]) => words.test(text));
    assert.deepEqual(mixed, [], locale);
  }
});

/** Words for which a locale uses another one: one name for each thing. */
const otherNames: Record<string, RegExp> = {
  en: /\b(former|mosaic|dotfiles?|password link)\b/i,
  de: /Passwort-Link|\bFassung\b|Dateianfrage|Anfragelink/,
  es: /\bclaves? de acceso\b/i,
  fr: /réglage/i,
  is: /\bruslið\b|\bruslinu\b|(?<!kerfis)stj[óo]rn(and|end)/i,
  ja: /サインイン|サインアウト|プロキシー|フォルダ(?!ー)|スコープ|ファイルリクエスト/,
  ko: /미리 보기|영구 삭제|암호(?!화)/,
  "nl-be": /bestandsverzoek|\bbijwerking\b/i,
  pl: /(?<!\p{L})łącz(e|a|u|em|y|ami)(?!\p{L})|wypakuj|wypakow/iu,
  pt: /\bsítio\b|[“”]/i,
  "pt-br": /pedido de arquivos/i,
  ro: /dezarhiv|cerere de fișiere|linkuri de cerere/i,
  ru: /указател|извлеч/i,
  sk: /dvojkrok|ukážk|nepovinn/i,
  "sv-se": /filförfråg|förhandsgransk|tvåsteg/i,
  tr: /çıkart|öge|belirte[çc]/i,
  ua: /(?<!\p{L})(тек(а|и|у|ою|ам|ах|ами)?|покажчик|відомост)(?!\p{L})/iu,
  "zh-cn": /共享|帐户|压缩文件/,
  "zh-tw": /垃圾桶|命令|共用|共享|相片|封存|檔案請求/,
};

Deno.test("every locale has one name for a thing", () => {
  for (const [locale, words] of Object.entries(otherNames)) {
    const mixed = [...flat(wordsOf(locale))].filter(([, text]) => words.test(text));
    assert.deepEqual(mixed, [], locale);
  }
});

Deno.test("messages about counts are sentences, not a word with a number after a colon", () => {
  const bare = [...english].filter(([key, text]) =>
    /^(toasts|tasks)\./.test(key) && /^\p{L}[\p{L} ]*: \{\{\s*(count|amount)/u.test(text)
  );
  assert.deepEqual(bare, []);
});

Deno.test("the handbook of users names labels as the screens do", () => {
  const labels = [...english.values()].map((text) => text.replaceAll("’", "'").toLowerCase());
  const handbook = Deno.readTextFileSync(join(top, "docs/users.md"));
  const named = [...handbook.matchAll(/\*\*([^*]+)\*\*/g)]
    .map(([, name = ""]) => name.replace(/\s+/g, " ").replaceAll("’", "'"))
    .filter((name) => /^\p{Lu}/u.test(name) && !name.endsWith("."));
  assert.ok(named.length > 30);
  const unknown = named.filter((name) =>
    !labels.some((label) => label.startsWith(name.toLowerCase()))
  );
  assert.deepEqual(unknown, []);
});

Deno.test("texts fill their gaps with what they are given, as it is", () => {
  const { t } = createI18n("en", wordsOf("en"));
  assert.equal(t("prompts.deleteOne", { name: "<b>&$t(x)" }), "Delete “<b>&$t(x)”?");
  assert.equal(t("files.fileCount", { count: 1 }), "1 file");
  assert.equal(t("files.fileCount", { count: 0 }), "0 files");
});

Deno.test("a text has the plural form and the digits of its language", () => {
  const german = createI18n("de", wordsOf("de"));
  assert.equal(german.t("files.fileCount", { count: 12_345 }), "12.345 Dateien");
  const polish = createI18n("pl", wordsOf("pl"));
  const forms = [1, 2, 5, 22].map((count) => polish.t("files.fileCount", { count }));
  assert.equal(new Set(forms.map((text) => text.replace(/\d+\s/, ""))).size, 3);
});

Deno.test("a gap without a value is empty, and a key without a text stands for itself", () => {
  const { t } = createI18n("en", wordsOf("en"));
  assert.equal(t("prompts.deleteOne"), "Delete “”?");
  assert.equal(t("errors.constructor" as "errors.unknown"), "errors.constructor");
});

Deno.test("every text of every locale is filled, whatever its values hold", () => {
  const counts = [0, 1, 2, 3, 5, 11, 21, 100, 1.5, 12_345];
  const value = "<b>&$t(x) {{y}} \uefff";
  for (const locale of availableLocales()) {
    const texts = flat(wordsOf(locale));
    const { t, language } = createI18n(locale, wordsOf(locale));
    const plurals = new Intl.PluralRules(language);
    const numbers = new Intl.NumberFormat(language);
    for (const key of new Set([...texts.keys()].map((each) => each.replace(PLURAL, "")))) {
      for (const count of texts.has(key) ? [12_345] : counts) {
        const text = texts.get(key) ?? texts.get(`${key}_${plurals.select(count)}`) ?? "";
        const gaps = [...text.matchAll(/\{\{\s*(\w+)\s*(,\s*number\s*)?\}\}/g)];
        const values = gaps.map(([, gap = "", isNumber]) => [gap, isNumber ? count : value]);
        const filled = t(key as "errors.unknown", { ...Object.fromEntries(values), count });
        const expected = text.replace(
          /\{\{\s*(\w+)\s*(,\s*number\s*)?\}\}/g,
          (_, gap, isNumber) =>
            isNumber
              ? numbers.format(count)
              : gap === "count"
              ? String(count)
              : value.replace("\uefff", "\ufffd"),
        );
        assert.equal(filled, expected, `${locale} ${key} ${count}`);
      }
    }
  }
});

Deno.test("names that are not UTF-8 are presentable in texts", () => {
  const { t } = createI18n("en", wordsOf("en"));
  assert.equal(t("prompts.deleteOne", { name: "a\uefffb" }), "Delete “a\ufffdb”?");
});

Deno.test("two renderings never share a language", () => {
  const words = wordsOf("en");
  const english = createI18n("en", words);
  const other = createI18n("ua", words);
  assert.equal(english.language, "en");
  assert.equal(other.language, "uk");
  assert.equal(english.t("buttons.cancel"), "Cancel");
});

Deno.test("a render's own set of texts is ready in a moment", () => {
  const words = wordsOf("en");
  const start = performance.now();
  for (let render = 0; render < 100; render++) createI18n("en", words).t("buttons.cancel");
  assert.ok((performance.now() - start) / 100 < 5);
});
