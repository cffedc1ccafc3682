import assert from "node:assert/strict";
import { mock } from "node:test";
import {
  leaveWithSession,
  loginHref,
  readToken,
  Session,
  TOKEN_KEY,
} from "../../../../../lib/client/base/session/session.ts";
import { memoryStorage } from "../../../../../lib/client/base/core/browser_storage.ts";
import { ada, tokenFor } from "../../support.ts";

const eve = { ...ada, id: 3, username: "eve" };

/** What the browser sends the other tabs. */
function stored(newValue: string | null, key: string | null = TOKEN_KEY): Event {
  return Object.assign(new Event("storage"), { key, newValue });
}

/** Runs with the console's warnings caught. */
function withWarnings(run: () => void): string[] {
  const warn = mock.method(console, "warn", () => {});
  try {
    run();
    return warn.mock.calls.map(({ arguments: [text] }) => String(text));
  } finally {
    warn.mock.restore();
  }
}

Deno.test("readToken() refuses a token that has not exactly three parts", () => {
  for (const token of ["", "a", "a.b", "a.b.c.d", `${tokenFor(ada)}.x`]) {
    assert.throws(() => readToken(token), { message: "token malformed" });
  }
});

Deno.test("readToken() refuses claims that can't be read or name no user", () => {
  for (const claims of ["%%%", btoa("no json"), btoa("null"), btoa('{"user":{}}')]) {
    assert.throws(() => readToken(`a.${claims}.c`), { message: "token malformed" });
  }
});

Deno.test("readToken() reads names in any script", () => {
  const user = { ...ada, username: "Ада 🐦 ÿ?>" };
  assert.equal(readToken(tokenFor(user)).user.username, user.username);
});

Deno.test("Session only warns about a stored token that can't be read", () => {
  const storage = memoryStorage();
  storage.setItem(TOKEN_KEY, "rubbish");
  const warnings = withWarnings(() => {
    const session = new Session({ storage, user: null });
    assert.equal(session.user.value, null);
    assert.equal(session.current(), null);
    assert.equal(session.ended.value, null);
  });
  assert.match(warnings[0] ?? "", /token malformed/);
});

Deno.test("Session begins with the stored token", () => {
  const storage = memoryStorage();
  storage.setItem(TOKEN_KEY, tokenFor(ada));
  const session = new Session({ storage, user: null });
  assert.equal(session.user.value?.username, "ada");
  assert.equal(session.token.value, tokenFor(ada));
});

Deno.test("Session keeps no malformed token", () => {
  const session = new Session({ storage: memoryStorage(), user: null });
  assert.throws(() => session.keep("a.b"), { message: "token malformed" });
  assert.equal(session.token.value, null);
});

Deno.test("Session stays with the later of two renewals that crossed each other", () => {
  const storage = memoryStorage();
  const session = new Session({ storage, user: ada });
  session.keep(tokenFor(ada, 1));
  storage.setItem(TOKEN_KEY, tokenFor(ada, 3));
  session.keep(tokenFor(ada, 2));
  assert.equal(session.token.value, tokenFor(ada, 3));
  assert.equal(storage.getItem(TOKEN_KEY), tokenFor(ada, 3));
});

Deno.test("Session replaces the token of another session, however often that was renewed", () => {
  const session = new Session({ storage: memoryStorage(), user: null });
  session.keep(tokenFor(ada, 9, "old"));
  session.keep(tokenFor(eve, 1, "new"));
  assert.equal(session.current(), tokenFor(eve, 1, "new"));
  assert.equal(session.user.value?.username, "eve");
});

Deno.test("Session reads what another tab renewed before the browser has told it", () => {
  const storage = memoryStorage();
  const session = new Session({ storage, user: ada });
  session.keep(tokenFor(ada, 1));
  storage.setItem(TOKEN_KEY, tokenFor(ada, 2));
  assert.equal(session.current(), tokenFor(ada, 2));
});

Deno.test("Session ends in every tab when one signs out", () => {
  const tab = new EventTarget();
  const session = new Session({ storage: memoryStorage(), user: ada });
  session.keep(tokenFor(ada));
  const stop = session.listen(tab as Window);
  tab.dispatchEvent(stored("something", "other"));
  assert.equal(session.ended.value, null);
  tab.dispatchEvent(stored(null));
  assert.equal(session.ended.value, "signed_out");
  assert.equal(session.user.value, null);
  stop();
});

Deno.test("Session notices that another tab signed in as somebody else", () => {
  const tab = new EventTarget();
  const session = new Session({ storage: memoryStorage(), user: ada });
  session.keep(tokenFor(ada));
  session.listen(tab as Window);
  tab.dispatchEvent(stored(tokenFor(ada, 2)));
  assert.equal(session.ended.value, null);
  tab.dispatchEvent(stored(tokenFor(eve)));
  assert.equal(session.ended.value, "switched");
});

Deno.test("Session that has expired is taken up by signing in again, in any tab", async () => {
  const storage = memoryStorage();
  const tab = new EventTarget();
  const session = new Session({ storage, user: ada });
  session.keep(tokenFor(ada));
  session.listen(tab as Window);
  session.end("expired");
  assert.equal(session.user.value?.username, "ada");
  assert.equal(session.current(), null);
  assert.notEqual(storage.getItem(TOKEN_KEY), null, "other tabs would take it for a sign-out");
  const here = session.resumed();
  session.keep(tokenFor(ada, 1, "s2"));
  assert.ok(await here);

  session.end("expired");
  const elsewhere = session.resumed();
  storage.setItem(TOKEN_KEY, tokenFor(ada, 1, "s3"));
  tab.dispatchEvent(stored(tokenFor(ada, 1, "s3")));
  assert.ok(await elsewhere);
  assert.equal(session.current(), tokenFor(ada, 1, "s3"));
});

Deno.test("Session that has expired is not taken up by somebody else, nor by signing out", async () => {
  const tab = new EventTarget();
  const session = new Session({ storage: memoryStorage(), user: ada });
  session.keep(tokenFor(ada));
  session.end("expired");
  session.keep(tokenFor(eve, 1, "s2"));
  assert.equal(session.ended.value, "switched");
  assert.equal(await session.resumed(), false);

  const other = new Session({ storage: memoryStorage(), user: ada });
  other.keep(tokenFor(ada));
  other.listen(tab as Window);
  other.end("expired");
  const waiting = other.resumed();
  tab.dispatchEvent(stored(null));
  assert.equal(await waiting, false);
});

Deno.test("Session stops waiting for its user when that is given up", async () => {
  const session = new Session({ storage: memoryStorage(), user: ada });
  session.end("expired");
  assert.equal(await session.resumed(AbortSignal.abort()), false);
});

Deno.test("leaveWithSession() stays where the page lets its user sign in again", () => {
  const went: string[] = [];
  const location = {
    ...{ href: "", pathname: "/files/", search: "" },
    assign: (to: string | URL) => void went.push(String(to)),
    reload: () => void went.push("reload"),
  };
  const session = new Session({ storage: memoryStorage(), user: ada });
  session.keep(tokenFor(ada));
  leaveWithSession(session, { BaseURL: "", LogoutPage: "" }, location, true);
  session.end("expired");
  assert.deepEqual(went, []);
  session.keep(tokenFor(eve));
  assert.deepEqual(went, ["reload"]);
});

Deno.test("leaveWithSession() leads to the sign-in page and, when it ran out, back again", () => {
  const went: string[] = [];
  const location = {
    href: "",
    pathname: "/base/files/a%20b/",
    search: "?x=1&y",
    assign: (to: string | URL) => void went.push(String(to)),
    reload: () => void went.push("reload"),
  };
  const session = new Session({ storage: memoryStorage(), user: ada });
  const stop = leaveWithSession(session, { BaseURL: "/base", LogoutPage: "" }, location);
  assert.deepEqual(went, []);
  session.end("expired");
  session.end("signed_out");
  session.keep(tokenFor(ada));
  stop();
  assert.deepEqual(went, [
    "/base/login?redirect=%2Fbase%2Ffiles%2Fa%2520b%2F%3Fx%3D1%26y&expired=1",
    "/base/login",
  ]);
});

Deno.test("loginHref() hides the address that it leads back to in one parameter", () => {
  const back = "/files/a&redirect=//evil.example/";
  const { searchParams } = new URL(loginHref("", back), "http://localhost");
  assert.deepEqual(searchParams.getAll("redirect"), [back]);
});
