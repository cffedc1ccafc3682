/**
 * A client as apps for telephones are: a decoder with a type for each answer, which refuses the
 * whole answer when a member is missing or of another type, and ignores members it does not know.
 * The types are those that File Browser 2.63 writes.
 */
import { decodeJwt } from "jose";
import * as v from "valibot";
import { type Recorded, replay, type Scenario, signIn } from "./scene.ts";

const whole = v.pipe(v.number(), v.integer());
const date = v.pipe(v.string(), v.isoTimestamp());

const perm = v.object(v.entriesFromList(
  ["admin", "execute", "create", "rename", "modify", "delete", "share", "download"],
  v.boolean(),
));
const sorting = v.object({ by: v.picklist(["name", "size", "modified"]), asc: v.boolean() });
const rule = v.object({ regex: v.boolean(), allow: v.boolean(), path: v.string() });

const preferences = {
  locale: v.string(),
  viewMode: v.picklist(["list", "mosaic", "mosaic gallery"]),
  singleClick: v.boolean(),
  redirectAfterCopyMove: v.boolean(),
  perm,
  commands: v.array(v.string()),
  hideDotfiles: v.boolean(),
  dateFormat: v.boolean(),
  aceEditorTheme: v.string(),
};
const named = { id: whole, username: v.string(), lockPassword: v.boolean(), ...preferences };

const claims = v.object({
  user: v.object(named),
  iss: v.literal("File Browser"),
  iat: whole,
  exp: whole,
});

const user = v.object({
  ...named,
  password: v.literal(""),
  scope: v.string(),
  sorting,
  rules: v.array(rule),
});

const entry = {
  path: v.pipe(v.string(), v.startsWith("/")),
  name: v.string(),
  size: whole,
  extension: v.string(),
  modified: date,
  mode: whole,
  isDir: v.boolean(),
  isSymlink: v.boolean(),
  type: v.string(),
};
const listing = v.object({
  ...entry,
  items: v.array(v.object(entry)),
  numDirs: whole,
  numFiles: whole,
  sorting,
});

const lines = v.array(v.string());
const settings = v.object({
  signup: v.boolean(),
  hideLoginButton: v.boolean(),
  createUserDir: v.boolean(),
  minimumPasswordLength: whole,
  userHomeBasePath: v.string(),
  defaults: v.object({ ...preferences, scope: v.string(), sorting }),
  authMethod: v.picklist(["json", "proxy", "hook", "noauth"]),
  rules: v.array(rule),
  branding: v.object({
    name: v.string(),
    disableExternal: v.boolean(),
    disableUsedPercentage: v.boolean(),
    files: v.string(),
    theme: v.string(),
    color: v.string(),
  }),
  tus: v.object({ chunkSize: whole, retryCount: whole }),
  shell: lines,
  commands: v.record(v.string(), lines),
});

const share = v.object({
  hash: v.string(),
  path: v.string(),
  userID: whole,
  expire: whole,
  hasPassword: v.boolean(),
});
const tree = v.array(v.pick(v.object(entry), ["path", "name", "size", "modified", "isDir"]));
const usage = v.object({ total: whole, used: whole });

function decodes(schema: v.GenericSchema): Recorded["reads"] {
  return async (answer) => v.assert(schema, await answer.json());
}

const strictDecoder: Scenario = {
  name: "a strict decoder",
  tree: { strict: { "a.txt": "a", "b.bin": "\0", c: {} } },
  async run(scene) {
    const client = await signIn(scene);
    v.assert(claims, decodeJwt(client.token));
    const file = v.object({ ...entry, content: v.string() });
    const sums = v.object({ ...entry, checksums: v.object({ sha256: v.string() }) });
    await replay(client, [
      { sends: "GET /api/resources/strict/", gives: 200, reads: decodes(listing) },
      { sends: "GET /api/resources/strict/c/", gives: 200, reads: decodes(listing) },
      { sends: "GET /api/resources/strict/a.txt", gives: 200, reads: decodes(file) },
      {
        sends: "GET /api/resources/strict/b.bin?checksum=sha256",
        gives: 200,
        reads: decodes(sums),
      },
      { sends: "GET /api/resources/recursive/strict", gives: 200, reads: decodes(tree) },
      { sends: "GET /api/usage/strict", gives: 200, reads: decodes(usage) },
      { sends: "GET /api/users", gives: 200, reads: decodes(v.array(user)) },
      { sends: "GET /api/users/1", gives: 200, reads: decodes(user) },
      { sends: "GET /api/settings", gives: 200, reads: decodes(settings) },
      { sends: "POST /api/share/strict/a.txt", gives: 200, reads: decodes(share) },
      { sends: "GET /api/share/strict/a.txt", gives: 200, reads: decodes(v.array(share)) },
      {
        sends: "GET /api/shares",
        gives: 200,
        async reads(answer, { known }) {
          const shares = v.parse(v.array(share), await answer.json());
          known.set("hash", shares.find(({ path }) => path === "/strict/a.txt")?.hash ?? "");
        },
      },
      {
        sends: "GET /api/public/share/{hash}",
        anonymous: true,
        gives: 200,
        reads: decodes(v.object(entry)),
      },
      { sends: "DELETE /api/share/{hash}", gives: 200 },
    ]);
  },
};

/** The strict decoder. */
export const strictDecoders: readonly Scenario[] = [strictDecoder];
