/** The calls of the phone apps' dialogs of sharing, and what the apps read of the answers. */
import assert from "node:assert/strict";
import { blankGroup } from "../../../lib/server/features/accounts/users/groups/group.ts";
import { startApp, userPassword } from "../../support/server/app.ts";
import { basic } from "../../support/clients/dav.ts";
import { assertStatus } from "../../support/server/refused.ts";
import {
  type AppAnswer,
  type AppCall,
  entriesIn,
  propfindFor,
  replayOf,
  signInByBrowser,
} from "./app_calls.ts";

const app = await startApp({
  config: { syncClients: true },
  tree: {
    anna: { "note #1.md": "# Note", docs: { "in.txt": "in" } },
    otto: { "note.md": "# Note", docs: {} },
    ines: { "note.md": "# Note", docs: {} },
  },
});
Deno.test.afterAll(app.close);
await app.addUser("bob");
const team = await app.cubby.users.groups.create({ ...blankGroup(), name: "team" });

const shares = "/ocs/v2.php/apps/files_sharing/api/v1/shares";
const sharees = "/ocs/v2.php/apps/files_sharing/api/v1/sharees";
const day = "2031-05-04";
const form = { "content-type": "application/x-www-form-urlencoded" };

/** The fields of a request as the apps send them. */
const fieldsOf = (fields: Record<string, string>) => new URLSearchParams(fields).toString();

/** Signs an app in for a user of its own, who lets it share. */
async function sharingApp(kind: "android" | "ios", name: string): Promise<Record<string, string>> {
  const user = { groups: [team.id], rights: { write: true, share: true } };
  const { headers } = await signInByBrowser(app, kind, name, user);
  return { ...headers, "ocs-apirequest": "true" };
}

Deno.test("Android lists, makes, changes and ends shares, by elements of XML", async () => {
  const headers = await sharingApp("android", "anna");
  const replay = replayOf(app, { ...headers, accept: "*/*" });
  const path = "/note #1.md";
  /** It reads a list of elements, also for one share. */
  const elementsIn = ({ text }: AppAnswer) => {
    assert.match(text, /<statuscode>200<\/statuscode>/);
    return [...text.matchAll(/<element>(.*?)<\/element>/gs)].map(
      ([, element = ""]) => (name: string) => {
        const found = new RegExp(`<${name}>(.*?)</${name}>`, "s").exec(element);
        return found?.[1] ?? (element.includes(`<${name}/>`) ? "" : undefined);
      },
    );
  };
  /** The answer to a change is one share, without a list. */
  const oneIn = ({ text }: AppAnswer, name: string) =>
    new RegExp(`<data>.*<${name}>(.*?)</${name}>`, "s").exec(text)?.[1];
  const list = (reads: (answer: AppAnswer) => void): AppCall => ({
    does: "list the shares of a file",
    method: "GET",
    path: `${shares}?path=${encodeURIComponent(path)}&reshares=true&subfiles=false`,
    status: 200,
    reads,
  });
  const make = (fields: Record<string, string>): AppCall => ({
    does: "share it",
    method: "POST",
    path: shares,
    headers: form,
    body: fieldsOf({ path, ...fields }),
    status: 200,
  });
  await replay(list((answer) => assert.deepEqual(elementsIn(answer), [])), {
    does: "suggest with whom",
    method: "GET",
    path: `${sharees}?format=json&itemType=file&search=team&page=1&perPage=30`,
    status: 200,
    reads({ text }) {
      const { exact, ...others } = JSON.parse(text).ocs.data;
      for (const kind of ["users", "groups", "remotes", "circles", "rooms", "emails"]) {
        assert.ok(Array.isArray(exact[kind]) && Array.isArray(others[kind]), kind);
      }
      const [{ label, value }] = exact.groups;
      assert.deepEqual([label, value.shareType, value.shareWith], ["team", 1, "team"]);
    },
  });
  const [link, user] = await replay(
    make({ shareType: "3", shareWith: "", permissions: "1", password: "correct horse" }),
    make({ shareType: "0", shareWith: "bob", permissions: "19", attributes: "[]" }),
    { ...make({ shareType: "0", shareWith: "nobody-here", permissions: "1" }), status: 400 },
    { ...make({ shareType: "4", shareWith: "bob@mail.test", permissions: "1" }), status: 400 },
    make({ shareType: "1", shareWith: "team", permissions: "1" }),
  );
  assert.ok(link && user);
  const [linkId, userId] = [oneIn(link, "id"), oneIn(user, "id")];
  const address = oneIn(link, "url") ?? "";
  assert.match(address, /^http:\/\/cubby\.test\/share\/[\w-]+$/);
  assert.equal(oneIn(user, "permissions"), "3");
  await replay(list((answer) => {
    const found = elementsIn(answer);
    assert.deepEqual(found.map((get) => get("share_type")).sort(), ["0", "1", "3"]);
    for (const get of found) {
      assert.match(get("id") ?? "", /^\d+$/);
      assert.equal(get("path"), path);
      for (const name of ["item_type", "uid_owner", "displayname_owner", "note", "mimetype"]) {
        assert.notEqual(get(name), undefined, name);
      }
      // It parses these as numbers.
      for (const name of ["permissions", "stime", "hide_download", "item_source"]) {
        assert.match(get(name) ?? "", /^\d+$/, name);
      }
    }
    const named = found.find((get) => get("share_type") === "0");
    assert.deepEqual([named?.("share_with"), named?.("share_with_displayname")], ["bob", "bob"]);
  }));
  // It changes one thing by each request, and reads the share after each.
  const change = (id: string | undefined, fields: Record<string, string>): AppCall => ({
    does: "change a share",
    method: "PUT",
    path: `${shares}/${id}`,
    headers: form,
    body: fieldsOf(fields),
    status: 200,
  });
  const read = (id: string | undefined, reads: (answer: AppAnswer) => void): AppCall => ({
    does: "read it again",
    method: "GET",
    path: `${shares}/${id}`,
    status: 200,
    reads,
  });
  await replay(
    change(linkId, { expireDate: day }),
    read(linkId, (answer) => {
      const [get] = elementsIn(answer);
      assert.equal(get?.("expiration"), `${day} 00:00:00`);
      assert.ok(get?.("share_with"), "it shows that a password is set");
    }),
    change(linkId, { expireDate: "" }),
    change(linkId, { password: "" }),
    change(linkId, { hideDownload: "true" }),
    read(linkId, (answer) => {
      const [get] = elementsIn(answer);
      assert.deepEqual([get?.("expiration") ?? "", get?.("share_with") ?? ""], ["", ""]);
      assert.equal(get?.("hide_download"), "1");
    }),
    { ...change(linkId, { note: "look at this" }), status: 400 },
    change(userId, { permissions: "1" }),
    read(userId, (answer) => assert.equal(elementsIn(answer)[0]?.("permissions"), "1")),
    {
      does: "see in the listing that it is shared",
      method: "PROPFIND",
      path: `/remote.php/dav/files/anna/${encodeURIComponent(path.slice(1))}`,
      headers: { depth: "0" },
      body: propfindFor(["nc:sharees", "oc:share-types"]),
      status: 207,
      reads(answer) {
        const [entry] = entriesIn(answer);
        assert.match(entry?.get("nc:sharees") ?? "", /bob/);
      },
    },
    { does: "list all shares", method: "GET", path: `${shares}?include_tags=true`, status: 200 },
    { does: "end one", method: "DELETE", path: `${shares}/${userId}`, status: 200 },
    { does: "end it again", method: "DELETE", path: `${shares}/${userId}`, status: 404 },
    { does: "end the link", method: "DELETE", path: `${shares}/${linkId}`, status: 200 },
    list((answer) => assert.equal(elementsIn(answer).length, 1)),
  );
  await assertStatus(await app.call("GET", new URL(address).pathname), 404);
});

Deno.test("iOS lists, makes, changes and ends shares, and decodes JSON", async () => {
  const headers = await sharingApp("ios", "ines");
  const replay = replayOf(app, { ...headers, accept: "application/json" });
  // deno-lint-ignore no-explicit-any -- the app takes of the data what it knows
  const dataIn = ({ text }: AppAnswer): any => {
    const { meta, data } = JSON.parse(text).ocs;
    assert.equal(meta.statuscode, 200);
    return data;
  };
  // deno-lint-ignore no-explicit-any -- as above
  const assertDecoded = (share: any) => {
    for (const name of ["can_edit", "can_delete", "has_preview"]) {
      assert.equal(typeof share[name], "boolean", name);
    }
    for (const name of ["item_source", "file_source", "permissions", "share_type", "stime"]) {
      assert.ok(Number.isInteger(share[name]), name);
    }
    for (const name of ["uid_owner", "uid_file_owner", "displayname_owner", "path", "item_type"]) {
      assert.equal(typeof share[name], "string", name);
    }
    assert.match(String(share.id), /^\d+$/);
    assert.ok(
      share.expiration === null || /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/.test(share.expiration),
    );
  };
  const list = (query: string, count: number): AppCall => ({
    does: "list shares",
    method: "GET",
    path: `${shares}?${query}`,
    status: 200,
    reads(answer) {
      const found = dataIn(answer);
      assert.equal(found.length, count);
      for (const share of found) assertDecoded(share);
    },
  });
  const make = (fields: Record<string, string>): AppCall => ({
    does: "share a folder",
    method: "POST",
    path: shares,
    headers: { ...form, "content-type": `${form["content-type"]}; charset=utf-8` },
    body: fieldsOf({
      ...{ path: "/docs", publicUpload: "false", hideDownload: "false", note: "" },
      ...fields,
    }),
    status: 200,
    reads: (answer) => assertDecoded(dataIn(answer)),
  });
  const [, , link, group] = await replay(
    list("path=%2Fdocs&reshares=true&subfiles=true&shared_with_me=false", 0),
    {
      does: "suggest with whom",
      method: "GET",
      path: `${sharees}?search=te&page=1&perPage=100&itemType=file&lookup=false`,
      status: 200,
      reads(answer) {
        const { exact, groups } = dataIn(answer);
        assert.deepEqual([exact.groups, groups[0].value], [[], {
          shareType: 1,
          shareWith: "team",
        }]);
        assert.equal(typeof groups[0].label, "string");
      },
    },
    make({ shareType: "3", permissions: "1", password: "" }),
    make({ shareType: "1", shareWith: "team", permissions: "31" }),
    list("reshares=true&subfiles=true", 2),
  );
  const ids = [link, group].map((answer) => answer && dataIn(answer).id);
  const change = (id: string, fields: Record<string, string>): AppCall => ({
    does: "change a share, with all that its dialog has",
    method: "PUT",
    path: `${shares}/${id}`,
    headers: form,
    body: fieldsOf({ note: "", label: "", ...fields }),
    status: 200,
    reads: (answer) => assertDecoded(dataIn(answer)),
  });
  const [changed, edited] = await replay(
    change(ids[0], {
      ...{ password: "correct horse", expireDate: `${day} 00:00:00`, permissions: "1" },
      hideDownload: "true",
    }),
    change(ids[1], { expireDate: "", permissions: "15", hideDownload: "false" }),
    { ...change(ids[0], { permissions: "4" }), status: 400, reads: undefined },
    { does: "read one", method: "GET", path: `${shares}/${ids[0]}`, status: 200 },
    { does: "end the link", method: "DELETE", path: `${shares}/${ids[0]}`, status: 200 },
    list("reshares=true&subfiles=true", 1),
    { does: "end the other", method: "DELETE", path: `${shares}/${ids[1]}`, status: 200 },
    { does: "read one that is gone", method: "GET", path: `${shares}/${ids[1]}`, status: 404 },
  );
  assert.ok(changed && edited);
  const { expiration, hide_download: hides, password } = dataIn(changed);
  assert.deepEqual([expiration, Number(hides)], [`${day} 00:00:00`, 1]);
  assert.ok(password);
  assert.equal(dataIn(edited).permissions, 15);
});

Deno.test("ownCloud's app for Android shares by links and with users, and ends that", async () => {
  const { user } = await app.addUser("otto", { scope: "otto" });
  const headers = {
    ...{ "user-agent": "Mozilla/5.0 (Android) ownCloud-android/4.6.0", "ocs-apirequest": "true" },
    authorization: basic("otto", userPassword),
  };
  const replay = replayOf(app, headers);
  const json = "format=json";
  // deno-lint-ignore no-explicit-any -- the app takes of the data what it knows
  const dataIn = ({ text }: AppAnswer): any => JSON.parse(text).ocs.data;
  const make = (fields: Record<string, string>, status = 200): AppCall => ({
    does: "share",
    method: "POST",
    path: `${shares}?${json}`,
    headers: form,
    body: fieldsOf({ path: "/note.md", ...fields }),
    status,
  });
  const [link, other] = await replay(
    make({ shareType: "3", shareWith: "", password: "", expireDate: `${day}T00:00:00+0000` }),
    make({ shareType: "0", shareWith: "bob", permissions: "1" }),
    make({ shareType: "0", shareWith: "bob", permissions: "1" }, 403),
    {
      does: "list the shares of a file",
      method: "GET",
      path: `${shares}?path=%2Fnote.md&reshares=true&subfiles=false&${json}`,
      status: 200,
      reads(answer) {
        for (const share of dataIn(answer)) {
          for (const name of ["id", "path", "item_type"]) {
            assert.equal(typeof share[name], "string");
          }
          for (const name of ["share_type", "permissions", "stime"]) {
            assert.ok(Number.isInteger(share[name]), name);
          }
        }
      },
    },
    {
      does: "suggest with whom",
      method: "GET",
      path: `${sharees}?${json}&itemType=file&search=bob&page=1&perPage=30`,
      status: 200,
      reads: (answer) => assert.equal(dataIn(answer).exact.users[0].value.shareWith, "bob"),
    },
  );
  assert.ok(link && other);
  assert.equal(dataIn(link).expiration, `${day} 00:00:00`);
  await replay(
    {
      does: "change the link",
      method: "PUT",
      path: `${shares}/${dataIn(link).id}?${json}`,
      headers: form,
      body: fieldsOf({ password: "correct horse", expireDate: "", permissions: "1" }),
      status: 200,
      reads: (answer) => assert.equal(dataIn(answer).expiration, null),
    },
    ...[link, other].map((share) => ({
      does: "end it",
      method: "DELETE",
      path: `${shares}/${dataIn(share).id}?${json}`,
      status: 200,
    })),
  );
  const left = (await Array.fromAsync(app.cubby.shares.parts({ userId: user.id }))).flat();
  assert.deepEqual(left, []);
});
