import assert from "node:assert/strict";
import {
  forgetSessionCookie,
  readSessionCookie,
  sessionCookie,
} from "../../../lib/server/http/request/auth/cookies.ts";

Deno.test("sessionCookie() refuses what is not a token", () => {
  const scope = { baseUrl: "", https: false };
  for (const token of ["", "a; Domain=evil", "a\r\nb"]) {
    assert.throws(() => sessionCookie(token, 60, scope), { message: /not a session token/ });
  }
});

Deno.test("sessionCookie() is out of reach of scripts, other sites and other paths", () => {
  assert.equal(
    sessionCookie("a.b-c.d_e", 7200.9, { baseUrl: "", https: false }),
    "auth=a.b-c.d_e; Path=/; Max-Age=7200; HttpOnly; SameSite=Lax",
  );
  assert.equal(
    sessionCookie("a.b.c", 60, { baseUrl: "/files", https: true }),
    "auth=a.b.c; Path=/files; Max-Age=60; HttpOnly; SameSite=Lax; Secure",
  );
});

Deno.test("forgetSessionCookie() ends the same cookie", () => {
  assert.equal(
    forgetSessionCookie({ baseUrl: "/files", https: false }),
    "auth=; Path=/files; Max-Age=0; HttpOnly; SameSite=Lax",
  );
});

Deno.test("readSessionCookie() finds the token among others", () => {
  const read = (cookie: string) => readSessionCookie(new Headers({ cookie }));
  assert.equal(read("a=b; auth=x.y.z; c=d"), "x.y.z");
  assert.equal(read("xauth=1; authx=2"), undefined);
  assert.equal(read("auth="), undefined);
  assert.equal(readSessionCookie(new Headers()), undefined);
});
