/** Calls about sessions, users and settings. */
import type { SurfaceCall } from "./calls.ts";

/** The administrator with whom both begin. */
export const admin = { username: "admin", password: "a cub naps beside 7 rivers" };

export const proof = { current_password: admin.password };
export const perm = {
  ...{ admin: false, execute: false, create: true, rename: true, modify: true, delete: true },
  ...{ share: true, download: true },
};
const userPassword = "four herons at dawn";
export const draft = (username: string, more: object = {}) => ({
  what: "user",
  which: [],
  ...proof,
  data: {
    ...{ id: 0, username, password: userPassword, scope: "/", locale: "en", lockPassword: false },
    ...{ viewMode: "list", singleClick: false, redirectAfterCopyMove: false, commands: [] },
    ...{ sorting: { by: "name", asc: false }, rules: [], hideDotfiles: false, dateFormat: false },
    ...{ aceEditorTheme: "", perm, ...more },
  },
});
const signIn = (username: string, password = userPassword) => ({
  sends: "POST /api/login",
  case: `for ${username}`,
  as: "",
  json: { username, password, recaptcha: "" },
  keeps: { name: username },
});

export const sessions: SurfaceCall[] = [
  { sends: "GET /health", as: "", shows: "`GET /health`" },
  signIn(admin.username, admin.password),
  { ...signIn(admin.username, "a wrong password"), case: "wrong password", keeps: undefined },
  { ...signIn("nobody"), case: "unknown name", keeps: undefined },
  { sends: "POST /api/login", case: "no JSON", as: "", body: "{", shows: "Malformed sign-ins" },
  {
    ...signIn(admin.username, admin.password),
    ...{ case: "behind a proxy that replaces Host", keeps: undefined },
    headers: { origin: "http://nas.local" },
  },
  {
    ...signIn(admin.username, admin.password),
    ...{ case: "of another site", keeps: undefined },
    headers: { origin: "http://evil.test", "sec-fetch-site": "cross-site" },
    shows: "Requests of other sites",
  },
  { sends: "GET /api/login", as: "", shows: "Methods that a call does not have" },
  { sends: "POST /api/renew", keeps: { name: "admin" } },
  { sends: "GET /api/renew", shows: "Methods that a call does not have" },
  { sends: "POST /api/renew", as: "" },
  {
    sends: "POST /api/signup",
    ...{ case: "while it is off", as: "", json: { username: "vera", password: userPassword } },
    shows: "`POST /api/signup` while signing up is off",
  },
  { sends: "GET /api/resources/", case: "without a token", as: "" },
  { sends: "GET /api/resources/", case: "with a bad token", as: "bad" },
  { sends: "GET /api/nothing", shows: "Unknown addresses below `/api`" },
  {
    sends: "GET /api/raw/t/one.txt?auth={admin}",
    ...{ case: "a session token in the address", as: "" },
  },
  {
    sends: "GET /api/raw/t/one.txt?auth=anything",
    ...{ case: "beside a cookie", as: "", headers: { cookie: "auth={admin}" } },
  },
  {
    sends: "GET /api/resources/t",
    ...{ case: "with a cookie", as: "", headers: { cookie: "auth={admin}" } },
  },
  {
    sends: "DELETE /api/resources/none",
    ...{ case: "with a cookie", as: "", headers: { cookie: "auth={admin}" } },
  },
];

export const users: SurfaceCall[] = [
  {
    sends: "POST /api/users",
    json: draft("quin", { perm: { ...perm, download: false, share: false } }),
    keeps: { name: "quinAt", header: "location" },
  },
  {
    sends: "POST /api/users",
    ...{ case: "a taken name", json: draft("quin"), shows: "User names" },
  },
  {
    sends: "POST /api/users",
    ...{ case: "without the password", json: { ...draft("ivy"), current_password: undefined } },
    shows: "A missing or wrong `current_password`",
  },
  {
    sends: "POST /api/users",
    ...{ case: "with a wrong password", json: { ...draft("ivy"), current_password: "wrong" } },
    shows: "A missing or wrong `current_password`",
  },
  {
    sends: "POST /api/users",
    ...{ case: "a short password", json: draft("ivy", { password: "short" }) },
  },
  {
    sends: "POST /api/users",
    case: "an administrator with a locked password",
    json: draft("lena", { lockPassword: true, perm: { ...perm, admin: true, execute: true } }),
    keeps: { name: "lenaAt", header: "location" },
  },
  { sends: "POST /api/users", case: "own", json: draft("otto", { scope: "/own" }) },
  {
    sends: "POST /api/users",
    case: "sorted by time",
    json: draft("mona", { sorting: { by: "modified", asc: false } }),
    keeps: { name: "monaAt", header: "location" },
  },
  {
    sends: "POST /api/users",
    case: "who may only download",
    json: draft("pia", {
      perm: {
        ...{ admin: false, execute: false, create: false, rename: false, modify: false },
        ...{ delete: false, share: false, download: true },
      },
    }),
    keeps: { name: "piaAt", header: "location" },
  },
  { sends: "POST /api/users", case: "another kind", json: { ...draft("ivy"), what: "group" } },
  { sends: "POST /api/users", case: "an empty password", json: draft("ivy", { password: "" }) },
  signIn("quin"),
  signIn("pia"),
  signIn("mona"),
  signIn("otto"),
  signIn("lena"),
  { sends: "GET /api/users", shows: "A locked password of an administrator" },
  { sends: "GET /api/users/1" },
  { sends: "GET /api/users/{lenaId}", shows: "A locked password of an administrator" },
  { sends: "GET /api/users/{quinId}", as: "quin" },
  { sends: "GET /api/users", as: "quin" },
  { sends: "GET /api/users/999" },
  {
    sends: "PUT /api/users/{quinId}",
    json: { what: "user", which: ["locale"], data: { id: "{quinId}", locale: "de" } },
  },
  {
    sends: "PUT /api/users/{quinId}",
    ...{ case: "of another", json: { what: "user", which: ["locale"], data: { id: 1 } } },
  },
  {
    sends: "PUT /api/users/{quinId}",
    ...{
      case: "an unknown field",
      json: { what: "user", which: ["Nothing"], ...proof, data: { id: "{quinId}" } },
    },
    shows: "Unknown names in `which`",
  },
  {
    sends: "PUT /api/users/{piaId}",
    ...{
      case: "another id",
      json: { what: "user", which: ["perm"], ...proof, data: { id: 1, perm } },
    },
  },
  {
    sends: "PUT /api/users/{lenaId}",
    ...{
      case: "share without download",
      json: {
        ...{ what: "user", which: ["perm"], ...proof },
        data: { id: "{lenaId}", perm: { ...perm, download: false } },
      },
    },
    shows: "Sharing without downloading",
  },
  {
    sends: "PUT /api/users/{piaId}",
    ...{
      case: "a short password",
      json: {
        ...{ what: "user", which: ["password"], ...proof },
        data: { id: "{piaId}", password: "short" },
      },
    },
  },
  {
    sends: "PUT /api/users/{piaId}",
    ...{ case: "everything, by oneself", as: "pia" },
    json: { what: "user", which: [], data: { id: "{piaId}", locale: "de" } },
  },
  {
    sends: "PUT /api/users/999",
    json: { what: "user", which: ["locale"], data: { id: 999, locale: "de" } },
    shows: "Users that are not there",
  },
  {
    sends: "DELETE /api/users/{piaId}",
    ...{ case: "without a body", shows: "A missing or wrong `current_password`" },
  },
  { sends: "DELETE /api/users/{lenaId}", json: {}, shows: "A missing or wrong `current_password`" },
  { sends: "DELETE /api/users/{lenaId}", case: "with the password", json: proof },
  {
    sends: "POST /api/users",
    ...{
      case: "share without download",
      json: draft("sam", { perm: { ...perm, download: false } }),
    },
    shows: "Sharing without downloading",
  },
];

export const settings: SurfaceCall[] = [
  { sends: "GET /api/settings", as: "quin" },
  { sends: "GET /api/settings", keeps: { name: "settings" } },
  { sends: "PUT /api/settings", json: { settings: { signup: true } } },
  { sends: "PUT /api/settings", case: "no JSON", body: "{" },
  {
    sends: "PUT /api/settings",
    ...{
      case: "shorter passwords",
      json: { settings: { signup: true, minimumPasswordLength: 6 } },
    },
  },
  {
    sends: "POST /api/users",
    ...{ case: "a shorter password", json: draft("tina", { password: "a-Heron-9" }) },
    shows: "Passwords",
  },
  {
    sends: "POST /api/users",
    ...{ case: "a password of 73 bytes", json: draft("tom", { password: "a-Heron-9".repeat(9) }) },
  },
  {
    sends: "POST /api/signup",
    ...{ as: "", json: { username: "vera", password: userPassword } },
    shows: "The body of `POST /api/signup`",
  },
  {
    sends: "POST /api/signup",
    ...{ case: "taken", as: "", json: { username: "vera", password: userPassword } },
  },
  { sends: "POST /api/signup", case: "without a name", as: "", json: { password: userPassword } },
  { sends: "POST /api/signup", case: "no JSON", as: "", body: "{" },
  {
    sends: "POST /api/signup",
    ...{ case: "a short password", as: "", json: { username: "wim", password: "short" } },
  },
  {
    sends: "POST /api/signup",
    ...{
      case: "a well-known password",
      as: "",
      json: { username: "wim", password: "password123456" },
    },
  },
  {
    sends: "DELETE /api/users/{ottoId}",
    as: "otto",
    json: { current_password: userPassword },
    shows: "Deleting oneself",
  },
  {
    sends: "PUT /api/users/{quinId}",
    ...{ case: "a new password", as: "quin", shows: "The answer to a new password" },
    json: {
      ...{ what: "user", which: ["password"], current_password: userPassword },
      data: { id: "{quinId}", password: "five herons at dusk" },
    },
  },
  {
    sends: "GET /api/resources/t",
    ...{ case: "after a new password", as: "quin", shows: "Sessions" },
  },
  { sends: "PUT /api/settings", case: "nothing", body: "{}" },
  { sends: "GET /api/settings", case: "after nothing", shows: "Missing members of settings" },
];
