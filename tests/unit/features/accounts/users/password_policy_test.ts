import assert from "node:assert/strict";
import { checkPolicy } from "../../../../../lib/server/features/accounts/passwords/password_policy.ts";
import { wellKnownPasswords } from "../../../../../lib/server/features/accounts/passwords/well_known_passwords.ts";

const refusals: Record<string, string[]> = {
  "short ones": ["", "elevenchars", "日本語のパスワード", "👍".repeat(11)],
  "ones that bcrypt would cut off": ["x1".repeat(36) + "y", "é".repeat(37)],
  "ones with a NUL": ["rainy\0tuesdays"],
  "well-known ones": ["administrator", "1q2w3e4r5t6y", "QwertyUiop123", "letmeinplease"],
  "well-known ones in disguise": ["Adm1n1strator", "p@sswordp@ssword"],
  "a common word with digits": [
    "password1234",
    "PASSWORD2024!",
    "P@ssw0rd123456",
    "12345welcome12",
  ],
  "repetitions": ["aaaaaaaaaaaa", "abcabcabcabc", "12341234123412341234", "hahahahahaha"],
  "runs of the keyboard": ["123456789012", "qwertyuiopas", "zyxwvutsrqpo", "abcdefghijklm"],
};

for (const [what, passwords] of Object.entries(refusals)) {
  Deno.test(`checkPolicy() refuses ${what}`, () => {
    for (const password of passwords) {
      assert.throws(() => checkPolicy(password), { code: "invalid_password" }, password);
    }
  });
}

Deno.test("checkPolicy() refuses the user's own name with digits and signs", () => {
  for (const password of ["Theodora1234", "theodora-theodora", "2024theodora!!"]) {
    assert.throws(() => checkPolicy(password, "Theodora"), { code: "invalid_password" }, password);
    checkPolicy(password, "anna");
  }
});

Deno.test("checkPolicy() refuses every password of its list, which is long enough to matter", () => {
  assert.ok(wellKnownPasswords.size > 400);
  for (const password of wellKnownPasswords) {
    assert.ok(password.length >= 12, password);
    assert.equal(password, password.toLowerCase());
    assert.throws(() => checkPolicy(password), { code: "invalid_password" }, password);
  }
});

Deno.test("checkPolicy() counts characters and bytes of the composed text", () => {
  checkPolicy("e\u0301".repeat(6) + "abcdef");
  assert.throws(() => checkPolicy("e\u0301".repeat(6) + "abcde"), { code: "invalid_password" });
  checkPolicy("e\u0301".repeat(34) + "abcd");
});

Deno.test("checkPolicy() takes what people choose well, whatever its letters", () => {
  const passwords = [
    "rainy tuesdays",
    "a dozen letter",
    "Grüße aus Köln",
    "正しい馬のバッテリーとホチキス",
    "theodora likes rain",
    "admin-of-the-house",
    "x7".repeat(6) + "q9" + "z".repeat(58),
    "483920174658",
  ];
  for (const password of passwords) checkPolicy(password, "theodora");
});
