import assert from "node:assert/strict";
import fc from "fast-check";
import {
  canonicalDn,
  ownNameOf,
  parseDn,
} from "../../../../../lib/server/features/accounts/auth/ldap/distinguished_name.ts";
import { character } from "../../../../support/run/property.ts";

const hexOf = (text: string) =>
  [...new TextEncoder().encode(text)].map((byte) => `\\${byte.toString(16).padStart(2, "0")}`);

/** A value as a server may write it: each character as it is, escaped, or in hexadecimal. */
function written(value: string, ways: readonly number[]): string {
  const all = [...value];
  return all.map((each, index) => {
    const isSpecial = /["+,;<>\\\0]/.test(each) || each === "#" && index === 0 ||
      each === " " && (index === 0 || index === all.length - 1);
    const way = (ways[index % ways.length] ?? 0) % 3;
    if (way === 0 && !isSpecial) return each;
    return way === 1 && /[ "#+,;<=>\\]/.test(each) ? `\\${each}` : hexOf(each).join("");
  }).join("");
}

const value = fc.string({ unit: fc.oneof(character, fc.constantFrom(...' ,+=\\"#;<>')) })
  .map((text) => text.toWellFormed());
const attribute = fc.record(
  { type: fc.constantFrom("cn", "ou", "dc", "2.5.4.3"), value },
  { noNullPrototype: true },
);
const name = fc.array(fc.array(attribute, { minLength: 1, maxLength: 2 }), {
  minLength: 1,
  maxLength: 4,
});
const ways = fc.array(fc.nat(2), { minLength: 1 });

Deno.test("parseDn() reads what any way of escaping has written, and nothing else", () => {
  fc.assert(fc.property(name, ways, fc.constantFrom("", " ", "  "), (parts, how, space) => {
    const text = parts.map((part) =>
      part.map(({ type, value }) => `${type}${space}=${space}${written(value, how)}`)
        .join(`${space}+${space}`)
    ).join(`${space},${space}`);
    assert.deepEqual(parseDn(text), parts);
  }));
});

Deno.test("parseDn() ends with a name or null, whatever the text", () => {
  fc.assert(fc.property(fc.string({ unit: character }), (text) => {
    const parsed = parseDn(text);
    if (parsed) assert.ok(parsed.every((part) => part.length > 0));
  }));
  for (
    const text of ["", "cn", "cn=a,", ",cn=a", "cn=a,,ou=b", "cn=a+", "=a", "cn=a\\", "cn=a\\z"]
  ) {
    assert.equal(parseDn(text), null, text);
  }
  for (const text of ["cn=a;ou=b", 'cn="a"', "cn=a<b", "cn=\\ff", "cn=#0", "cn=#zz", "c n=a"]) {
    assert.equal(parseDn(text), null, text);
  }
});

Deno.test("canonicalDn() is one text for the spellings of a name, and another for each other name", () => {
  const same = [
    "cn=admins,dc=example,dc=org",
    "CN=Admins, DC=Example ,DC=org",
    "cn = admins , dc = example , dc = org",
    "cn=\\61dmins,dc=example,dc=org",
    "cn=#040661646d696e73,dc=example,dc=org",
    "cn=#0c0661646d696e73,dc=example,dc=org",
    "cn=\\ admins\\ ,dc=example,dc=org",
  ];
  assert.equal(new Set(same.map(canonicalDn)).size, 1);
  const [first = ""] = same;
  for (
    const other of [
      "cn=admins\\, read only,dc=example,dc=org",
      "cn=admins\\,dc=example,dc=org",
      "cn=admins+ou=x,dc=example,dc=org",
      "cn=admins,dc=example",
      "ou=admins,dc=example,dc=org",
      "cn=admin s,dc=example,dc=org",
    ]
  ) {
    assert.notEqual(canonicalDn(other), canonicalDn(first), other);
  }
  assert.equal(canonicalDn("cn=a+ou=b,dc=x"), canonicalDn("ou=b+cn=a,dc=x"));
});

Deno.test("ownNameOf() is the whole name of an entry that has one", () => {
  assert.equal(ownNameOf("cn=staff,ou=groups,dc=x"), "staff");
  assert.equal(ownNameOf("cn=admins\\, read only,dc=x"), "admins, read only");
  assert.equal(ownNameOf("cn=J\\c3\\bcrgen,dc=x"), "Jürgen");
  for (
    const none of ["staff", "cn=admins+ou=x,dc=x", "cn=,dc=x", "cn=admins\\", 'cn="admins",dc=x']
  ) {
    assert.equal(ownNameOf(none), null, none);
  }
});
