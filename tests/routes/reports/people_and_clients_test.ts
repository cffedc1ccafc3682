/**
 * R82 to R84 are held by tests/e2e/sign_in/base_url_test.ts, R85 by
 * tests/routes/server/proxies_test.ts, R89 by tests/routes/auth/ldap_sign_in_test.ts.
 * R108 wishes for another order of names than people's own, which is not to be.
 */
import assert from "node:assert/strict";
import { join } from "node:path";
import {
  canonicalDn,
  ownNameOf,
} from "../../../lib/server/features/accounts/auth/ldap/distinguished_name.ts";
import { groupsIn, usernameIn } from "../../../lib/server/features/accounts/auth/oidc/claims.ts";
import type { OidcProvider } from "../../../lib/server/core/config/oidc_options.ts";
import type { ShareWithToken } from "../../../lib/shared/schemas/share.ts";
import { basic, davClient, hrefsOf, wanting } from "../../support/clients/dav.ts";
import { type Report, type ReportScene, reportTests } from "../../support/server/reports.ts";
import { assertStatus } from "../../support/server/refused.ts";

const encode = encodeURIComponent;

/** Shares an entry of the folder, as the administrator. */
async function share(scene: ReportScene, name: string, json: object = {}): Promise<ShareWithToken> {
  const answer = await scene.call("POST", "/api/share", encode(name), { json });
  const text = await answer.text();
  assert.equal(answer.status, 200, text);
  return JSON.parse(text);
}

/** What a visitor downloads of a share; a status where it is refused. */
async function visit(
  { app }: ReportScene,
  path: string,
  headers: Record<string, string> = {},
): Promise<string | number> {
  const answer = await app.call("GET", `/api/public/dl/${path}`, { headers });
  const text = await answer.text();
  return answer.ok ? text : answer.status;
}

const withPassword = (password: string) => ({ "x-share-password": encode(password) });

const shares: Report[] = [
  {
    id: "R76",
    source: "gtsteffaniak#2889",
    holds: "a share's password may have letters of any script, composed or not",
    tree: { "a.txt": "a" },
    async check(scene) {
      const passwords = ["clé secrète".normalize("NFC"), "日本語の鍵", "🔑🚪", "a\u00a0b", "  é "];
      for (const password of passwords) {
        const { hash } = await share(scene, "a.txt", { password });
        assert.equal(await visit(scene, hash), 401, password);
        assert.equal(await visit(scene, hash, withPassword(`${password}x`)), 401, password);
        assert.equal(await visit(scene, hash, withPassword(password)), "a", password);
        assert.equal(await visit(scene, hash, withPassword(password.normalize("NFD"))), "a");
      }
    },
  },
  {
    id: "R77",
    source: "gtsteffaniak#727, #1648",
    holds: "a user's password may have any sign, and works with every way in",
    tree: {},
    async check({ app, token }) {
      const { user } = await app.addUser("signs");
      const passwords = [
        ...[
          "pass:word:twice",
          "per%cent%20 %%",
          "plus+amp&=?#;",
          "all quotes \"'`\\",
          "<b>&amp;</b>...",
        ],
        ...[
          "ümläut pässword",
          "пароль-пароль",
          "🔐 emoji lock",
          "spaces  inside  it",
          "$(reboot);|&",
        ],
      ];
      for (const password of passwords) {
        const json = { what: "user", which: ["password"], data: { id: user.id, password } };
        const changed = await app.call("PUT", `/api/users/${user.id}`, {
          token,
          json: { ...json, current_password: app.admin.password },
        });
        await assertStatus(changed, 200, password);
        const signed = { json: { username: "signs", password } };
        await assertStatus(await app.call("POST", "/api/login", signed), 200, password);
        const authorization = basic("signs", password);
        const seen = await app.call("PROPFIND", "/dav/", {
          headers: { authorization, depth: "0" },
        });
        await assertStatus(seen, 207, password);
      }
    },
  },
  {
    id: "R78",
    source: "gtsteffaniak#1129",
    holds: "an expired link is gone by page and by call, and no strange duration is taken",
    tree: { "a.txt": "a" },
    async check(scene) {
      const { app } = scene;
      const { hash } = await share(scene, "a.txt", { expires: "1", unit: "hours" });
      assert.equal(await visit(scene, hash), "a");
      await app.later(61 * 60_000, async () => {
        assert.equal(await visit(scene, hash), 404);
        const headers = { accept: "text/html" };
        await assertStatus(await app.call("GET", `/share/${hash}`, { headers }), 404);
        await assertStatus(await app.call("GET", `/api/public/share/${hash}`), 404);
      });
      for (const expires of ["1h", "\u0661", "-1", "0x10", "1e9", " 1 2", "99999999999"]) {
        const json = { expires, unit: "hours" };
        await assertStatus(await scene.call("POST", "/api/share", "a.txt", { json }), 400, expires);
      }
    },
  },
  {
    id: "R79",
    source: "owncloud/QA#67, client#9290",
    holds: "a link follows its folder, whatever the names are and wherever it is moved",
    tree: { "a b#%.txt": "special", parent: { shared: { "süb dir%": { "ä#.txt": "deep" } } } },
    async check(scene) {
      const special = await share(scene, "a b#%.txt");
      assert.equal(await visit(scene, special.hash), "special");
      const answer = await scene.call("POST", "/api/share", "parent/shared", { json: {} });
      const { hash }: ShareWithToken = await answer.json();
      const below = `${hash}/${encode("süb dir%")}/${encode("ä#.txt")}`;
      assert.equal(await visit(scene, below), "deep");
      for (
        const [from, to] of [["parent/shared", "parent/new #%"], ["parent", "other 日本"]] as const
      ) {
        await assertStatus(await scene.transfer("rename", from, to), 200);
        assert.equal(await visit(scene, below), "deep", to);
      }
    },
  },
  {
    id: "R80",
    source: "beside owncloud/client#9290",
    holds: "what is taken back from the trash has its links again",
    tree: { "a.txt": "a" },
    async check(scene) {
      const { app } = scene;
      const { hash } = await share(scene, "a.txt");
      const removed = await scene.call("DELETE", "/api/resources", "a.txt?trash=true");
      await assertStatus(removed, 200);
      assert.equal(await visit(scene, hash), 404);
      const place = removed.headers.get("content-location") ?? "";
      await assertStatus(await app.call("POST", place, { token: scene.token }), 200);
      assert.equal(await visit(scene, hash), "a");
    },
  },
  {
    id: "R81",
    source: "gtsteffaniak#1593",
    holds: "a messenger that looks at a link learns nothing unless its owner wants a preview",
    tree: { "secret plan.txt": "a" },
    async check(scene) {
      const { hash } = await share(scene, "secret plan.txt");
      const { app } = scene;
      for (
        const agent of ["WhatsApp/2.23", "Slackbot 1.0", "TelegramBot", "facebookexternalhit/1.1"]
      ) {
        const headers = { "user-agent": agent, "accept": "text/html" };
        await assertStatus(await app.call("HEAD", `/share/${hash}`, { headers }), 200, agent);
        const page = await (await app.call("GET", `/share/${hash}`, { headers })).text();
        assert.doesNotMatch(page, /property="og:/, agent);
      }
    },
  },
  {
    id: "R104",
    source: "filebrowser#484",
    holds: "a search finds names in any case, and tells them as they are",
    tree: { "ReadMe.MD": "", "Große STRASSE.txt": "", deep: { "README.txt": "" } },
    async check({ call }) {
      const found = async (query: string) => {
        const results = await (await call("GET", "/api/search", `?query=${encode(query)}`)).json();
        return results.map(({ path }: { path: string }) => path).sort();
      };
      assert.deepEqual(await found("readme"), ["ReadMe.MD", "deep/README.txt"]);
      assert.deepEqual(await found("README"), ["ReadMe.MD", "deep/README.txt"]);
      assert.deepEqual(await found("GROSSE strasse"), ["Große STRASSE.txt"]);
    },
  },
  {
    id: "R105",
    source: "fsearch#385, FossifyOrg/File-Manager#95, RetroShare#118",
    holds: "a search finds names in other accents, widths and forms of a letter",
    tree: {
      "Café.txt": "",
      "cafe.txt": "",
      "Łódź.txt": "",
      "Re\u0301sume\u0301.pdf": "",
      "\uff21\uff4c\uff50\uff48\uff41.txt": "",
      "ΣΊΓΜΑΣ.txt": "",
      "ｶﾅ.txt": "",
    },
    async check({ call }) {
      const found = async (query: string) => {
        const results = await (await call("GET", "/api/search", `?query=${encode(query)}`)).json();
        return results.map(({ path }: { path: string }) => path);
      };
      assert.deepEqual((await found("cafe")).sort(), ["Café.txt", "cafe.txt"]);
      assert.deepEqual((await found("CAFÉ")).sort(), ["Café.txt", "cafe.txt"]);
      assert.deepEqual(await found("lodz"), ["Łódź.txt"]);
      assert.deepEqual(await found("resume"), ["Re\u0301sume\u0301.pdf"]);
      assert.deepEqual(await found("alpha"), ["\uff21\uff4c\uff50\uff48\uff41.txt"]);
      assert.deepEqual(await found("σιγμας"), ["ΣΊΓΜΑΣ.txt"]);
      assert.deepEqual(await found("カナ"), ["ｶﾅ.txt"]);
    },
  },
];

const provider: OidcProvider = {
  usernameClaim: "email",
  groupsClaim: "groups",
  trustEmail: false,
} as OidcProvider;

const accounts: Report[] = [
  {
    id: "R86",
    source: "outline#12863, onyx#13298, n8n#17203, screentinker#256, plik#590",
    holds:
      "a mail address is a name if the provider has verified it, or is trusted and says nothing",
    tree: {},
    check() {
      const email = "anna@example.org";
      const trusting = { ...provider, trustEmail: true };
      for (const verified of [true, "true"]) {
        assert.equal(usernameIn({ email, email_verified: verified }, provider), email);
      }
      assert.equal(usernameIn({ email }, provider), null);
      assert.equal(usernameIn({ email }, trusting), email);
      for (const said of [false, "false", 1, "yes"]) {
        assert.equal(usernameIn({ email, email_verified: said }, provider), null, `${said}`);
        assert.equal(usernameIn({ email, email_verified: said }, trusting), null, `${said}`);
      }
    },
  },
  {
    id: "R87",
    source: "jotty#200",
    holds: "groups that come as one text are a list of one",
    tree: {},
    check() {
      assert.deepEqual(groupsIn({ groups: "staff" }, provider), ["staff"]);
      assert.deepEqual(groupsIn({ groups: ["a", 1, "b"] }, provider), ["a", "b"]);
      assert.deepEqual(groupsIn({}, provider), []);
    },
  },
  {
    id: "R88",
    source: "jupyterhub/ldapauthenticator#63, kvspb/nginx-auth-ldap#224",
    holds: "the name of a directory's group is whole, with what is escaped in it",
    tree: {},
    check() {
      const names = {
        "cn=admins\\, read only,dc=example,dc=org": "admins, read only",
        "cn=admins\\2C x,dc=example,dc=org": "admins, x",
        "cn=admins\\+x,dc=example,dc=org": "admins+x",
        "cn=admins,dc=example,dc=org": "admins",
      };
      for (const [dn, name] of Object.entries(names)) assert.equal(ownNameOf(dn), name);
      const [first = "", second = ""] = Object.keys(names);
      assert.notEqual(canonicalDn(first), canonicalDn(second));
    },
  },
  {
    id: "R90",
    source: "sessions that plain http loses",
    holds: "the cookie of a session is for https alone only where the page came by it",
    tree: {},
    async check({ app }) {
      const json = { username: "admin", password: app.admin.password };
      for (const origin of ["http://cubby.test", "https://cubby.test"]) {
        const answer = await app.call("POST", "/api/login", { json, origin });
        await answer.body?.cancel();
        const [cookie = ""] = answer.headers.getSetCookie();
        assert.match(cookie, /; HttpOnly/i);
        assert.match(cookie, /; SameSite=(Lax|Strict)/i);
        assert.equal(/; Secure/i.test(cookie), origin.startsWith("https:"), origin);
      }
    },
  },
];

const oddNames = ["semi;colon", "a=b", "a&b <c>", "100%", "hash#", "quest?", "a[b]", "c:d", "e+f"];

const dav: Report[] = [
  {
    id: "R91",
    source: "copyparty#910, wsgidav#112, sftpgo#1018",
    holds: "a time that the Explorer sets is the file's",
    tree: { "a.txt": "a" },
    async check(scene) {
      const time = "Sun, 09 Sep 2001 01:46:40 GMT";
      const body = '<?xml version="1.0"?><D:propertyupdate xmlns:D="DAV:" ' +
        'xmlns:Z="urn:schemas-microsoft-com:"><D:set><D:prop><Z:Win32LastModifiedTime>' +
        `${time}</Z:Win32LastModifiedTime></D:prop></D:set></D:propertyupdate>`;
      await assertStatus(await asked(scene, "PROPPATCH", "a.txt", {}, body), 207);
      const { mtime } = Deno.statSync(join(scene.folder, "a.txt"));
      assert.equal(mtime?.getTime(), Date.parse(time));
    },
  },
  {
    id: "R92",
    source: "FubarDevelopment/WebDavServer#18, npm-WebDAV-Server#34",
    holds: "OPTIONS tells what Windows wants to know, and each answer in XML can be read",
    tree: Object.fromEntries(oddNames.map((name) => [name, "x"])),
    async check(scene) {
      const options = await asked(scene, "OPTIONS", "");
      assert.match(options.headers.get("dav") ?? "", /1, ?2/);
      assert.equal(options.headers.get("ms-author-via"), "DAV");
      await options.body?.cancel();
      const body = '<?xml version="1.0"?><D:propertyupdate xmlns:D="DAV:" xmlns:x="urn:x">' +
        "<D:set><D:prop><x:note>&lt;&amp;</x:note></D:prop></D:set></D:propertyupdate>";
      for (const name of oddNames) {
        const answer = await asked(scene, "PROPPATCH", encode(name), {}, body);
        assert.equal(answer.status, 207, name);
        const [href = ""] = hrefsOf(await answer.text());
        assert.equal(decodeURIComponent(unescaped(href)).split("/").at(-1), name);
      }
    },
  },
  {
    id: "R93",
    source: "nextcloud/all-in-one#4582, karadav#71",
    holds: "what Finder uploads in chunks arrives whole",
    tree: {},
    async check(scene) {
      const body = ReadableStream.from([new Uint8Array(70_000), new Uint8Array(30_000)]);
      const headers = { "x-expected-entity-length": "100000" };
      await assertStatus(await asked(scene, "PUT", "a.bin", headers, body), 201);
      assert.equal(Deno.statSync(join(scene.folder, "a.bin")).size, 100_000);
    },
  },
  {
    id: "R94",
    source: "dufs#19, #23, rclone#9180, owncloud/core#17771",
    holds: "the address of each entry in a listing leads to it",
    tree: Object.fromEntries(oddNames.map((name) => [name, name])),
    async check(scene) {
      const answer = await asked(scene, "PROPFIND", "", { depth: "1" }, wanting("resourcetype"));
      const [, ...hrefs] = hrefsOf(await answer.text()).map(unescaped);
      assert.equal(hrefs.length, oddNames.length);
      const read: string[] = [];
      const client = davClient(scene.app);
      for (const href of hrefs) {
        read.push(await (await client("GET", href.replace(/^\/dav/, ""))).text());
      }
      assert.deepEqual(read.sort(), oddNames.toSorted());
    },
  },
  {
    id: "R95",
    source: "filestash#697, go#29858, rclone#4814",
    holds: "a folder is reached with a slash at its end and without",
    tree: { w: { "a.txt": "a" } },
    async check(scene) {
      for (const name of ["w", "w/"]) {
        const listed = await asked(scene, "PROPFIND", name, { depth: "1" });
        assert.equal(hrefsOf(await listed.text()).length, 2, name);
      }
      const destination = `http://cubby.test/dav${scene.path}/c2/`;
      await assertStatus(await asked(scene, "MOVE", "w", { destination }), 201);
      assert.equal(Deno.readTextFileSync(join(scene.folder, "c2/a.txt")), "a");
    },
  },
  {
    id: "R96",
    source: "sftpgo#337, hacdias/webdav#59, haiwen/seafile#2336, traefik#4816",
    holds: "a destination on another host is refused, one with the port of https is not",
    tree: { "a.txt": "a", "b.txt": "b" },
    async check(scene) {
      const move = (name: string, host: string) =>
        asked(scene, "MOVE", name, { destination: `${host}/dav${scene.path}/moved-${name}` });
      await assertStatus(await move("a.txt", "http://evil.test"), 502);
      await assertStatus(await move("a.txt", "http://cubby.test:80"), 201);
      await assertStatus(await move("b.txt", ""), 201);
    },
  },
  {
    id: "R97",
    source: "GCDWebServer#319, opencloud-eu/reva#230",
    holds: "Office locks files that are not there yet, without Depth, and again",
    tree: {},
    async check(scene) {
      const body = '<?xml version="1.0"?><D:lockinfo xmlns:D="DAV:"><D:lockscope><D:exclusive/>' +
        "</D:lockscope><D:locktype><D:write/></D:locktype></D:lockinfo>";
      for (const timeout of ["Second-600", "Infinite", "Infinite, Second-4100000000"]) {
        const name = encode(`~$doc ${timeout.length}.docx`);
        const made = await asked(scene, "LOCK", name, { timeout }, body);
        await assertStatus(made, 201, timeout);
        const token = made.headers.get("lock-token") ?? "";
        const again = await asked(scene, "LOCK", name, { if: `(${token})`, timeout });
        await assertStatus(again, 200, timeout);
        await assertStatus(await asked(scene, "UNLOCK", name, { "lock-token": token }), 204);
      }
    },
  },
];

/** Answers a call of WebDAV about an entry of the folder. */
function asked(
  { app, path }: ReportScene,
  method: string,
  name: string,
  headers: Record<string, string> = {},
  body?: BodyInit,
): Promise<Response> {
  return davClient(app)(method, `${path}/${name}`, { headers, body });
}

function unescaped(xml: string): string {
  const signs: Record<string, string> = { amp: "&", lt: "<", gt: ">", quot: '"', apos: "'" };
  return xml.replace(/&(\w+);/g, (all, name) => signs[name] ?? all);
}

await reportTests([...shares, ...accounts, ...dav], { webdav: true });
