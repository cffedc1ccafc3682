/** What has to be true of a server to which the rich installation was moved. */
import assert from "node:assert/strict";
import { posix } from "node:path";
import { fixture, looks, type Recorded, users } from "./installation.ts";
import { observe } from "./observe.ts";

/** Reads what File Browser answered. */
export async function readAnswers(): Promise<Recorded> {
  return JSON.parse(await Deno.readTextFile(fixture("rich", "answers.json")));
}

/**
 * Compares a server with File Browser: each user signs in and sees the same, each link gives the
 * same bytes to the same passwords, users and settings are equal but for what the import says.
 *
 * @param url with the base URL
 * @param told what the import has printed
 * @param hasShares whether the shares were moved
 */
export async function holdsInstallation(
  url: string,
  told: string,
  hasShares: boolean,
): Promise<void> {
  const their = await readAnswers();
  const our = await observe(url, their);
  assert.match(told, /^Left out: server\.root \(Cannot serve ".*": the folder does not exist\)$/m);
  assert.equal(url.replace(/^http:\/\/[^/]+/, ""), "/files", "the base URL");
  for (const { username, flags } of users.filter(({ username }) => username !== "leaver")) {
    const seen = our.seen[username] ?? [];
    assert.ok(seen.length > 0, `${username} cannot sign in`);
    const isHiding = flags.includes("--hideDotfiles");
    const isHidden = (path: string) => isHiding && /\/\.[^/]+\//.test(path);
    assert.deepEqual(
      looks.map((path, at) => [path, seen[at]]),
      looks.map((path, at) => {
        const theirs = their.seen[username]?.[at];
        // What hides a folder hides what is in it, which File Browser leaves open.
        return [path, isHidden(path) ? [403] : theirs];
      }),
      `what ${username} sees`,
    );
  }
  assert.deepEqual(our.users.map(({ username }) => username), namesOf(their.users));
  for (const user of their.users) {
    const ours = our.users.find(({ username }) => username === user.username) ?? {};
    assert.deepEqual(only(ours, user), userHere(user, told), `${user.username}`);
  }
  const settings = only(our.settings, their.settings);
  settings.defaults = only(Object(settings.defaults), Object(their.settings.defaults));
  assert.deepEqual(settings, settingsHere(their.settings, told));
  if (hasShares) assert.deepEqual(our.links, their.links);
}

const namesOf = (list: Recorded["users"]) => list.map(({ username }) => username);

/** The members of a record that another one has. */
function only(ours: Record<string, unknown>, theirs: object): Record<string, unknown> {
  return Object.fromEntries(Object.keys(theirs).map((name) => [name, ours[name]]));
}

// deno-lint-ignore no-explicit-any
type Json = any;

/** A user as Cubby shows it; what else than the spelling differs, the import has told. */
function userHere(user: Json, told: string): Json {
  const { perm, rules, scope, sorting } = user;
  const here = {
    ...user,
    scope: scopeHere(scope),
    rules: rules.map(ruleHere),
    sorting: sortingHere(sorting),
  };
  if (!perm.admin) return here;
  const gains = Object.keys(perm).filter((name) => perm[name] === false);
  if (gains.length > 0) {
    assert.ok(told.includes(`as an administrator, the user gains: ${gains.join(", ")}`), told);
  }
  if (user.lockPassword) assert.ok(told.includes("lockPassword is off"), told);
  const all = Object.fromEntries(Object.keys(perm).map((name) => [name, true]));
  return { ...here, perm: all, lockPassword: false };
}

function settingsHere({ defaults, rules, ...settings }: Json, told: string): Json {
  const least = 12;
  assert.ok(told.includes(`minimumPasswordLength is ${least}, not 8: `), told);
  return {
    ...settings,
    minimumPasswordLength: least,
    rules: rules.map(ruleHere),
    defaults: {
      ...defaults,
      scope: scopeHere(defaults.scope),
      sorting: sortingHere(defaults.sorting),
    },
  };
}

const scopeHere = (scope: string) => posix.join("/", scope).replace(/(?<=.)\/$/, "");

/** For names alone, File Browser's `asc` is turned round. */
const sortingHere = (sorting: Json) => ({
  ...sorting,
  asc: sorting.by === "name" ? !sorting.asc : sorting.asc,
});

const ruleHere = (rule: Json) => ({ ...rule, regexp: rule.regexp ?? { raw: "" } });
