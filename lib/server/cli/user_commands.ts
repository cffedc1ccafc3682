import { forgetPlaces } from "../features/places/place_lists.ts";
import { DomainError } from "../../shared/errors.ts";
import { makeHome } from "../files/make_folder.ts";
import { Requests } from "../features/links/requests/requests.ts";
import { addUser } from "../features/accounts/users/add_user.ts";
import { readUserChange, readWhich } from "../features/accounts/users/read_user.ts";
import type { User } from "../features/accounts/users/user.ts";
import type { Users } from "../features/accounts/users/users.ts";
import type { MakeHome } from "../features/accounts/users/with_home.ts";
import { type Call, type Command, wordAt } from "./command.ts";
import { dataOf } from "./flags.ts";
import { passwordFlag, readPassword, readPipedPassword } from "./password_input.ts";
import { quotaTexts } from "./quota_usage.ts";
import { tableLines } from "./texts.ts";
import { rootsText, userChangeFlags, userFlags } from "./user_flags.ts";

/** Removes the second factors of a user who has lost them. */
const resetFlag = "reset-factors";

/** The commands that manage users. */
export const userCommands: Command[] = [
  {
    name: "users add",
    store: "made",
    words: "<name> [<password>]",
    about: "add a user; leave the password out to type it: others can see arguments",
    flags: [...userFlags, passwordFlag],
    async run(call) {
      const { users, settings, openGate, note } = call.records;
      const data = {
        ...dataOf(call.flags, userFlags),
        username: wordAt(call, 0, "name"),
        password: await readPassword(call, call.words[1]),
      };
      const make: MakeHome = async (home) => await makeHome(await openGate(), home);
      const user = await addUser(users, await settings.get(), data, make);
      await note("user_add", { subject: user.username });
      await printUsers(call, [user]);
    },
  },
  {
    name: "users ls",
    words: "",
    about: "list all users",
    async run(call) {
      await printUsers(call, await call.records.users.list());
    },
  },
  {
    name: "users find",
    words: "<id|name>",
    about: "show one user",
    async run(call) {
      await printUsers(call, [await findUser(call.records.users, wordAt(call, 0, "user"))]);
    },
  },
  {
    name: "users update",
    words: "<id|name>",
    about: "change a user",
    flags: [...userChangeFlags, passwordFlag, { name: resetFlag }],
    async run(call) {
      const { users, factors, note } = call.records;
      const user = await findUser(users, wordAt(call, 0, "user"));
      const piped = await readPipedPassword(call, call.flags.get("password"));
      const data = {
        ...dataOf(call.flags, userChangeFlags),
        ...piped !== undefined && { password: piped },
      };
      const resets = call.flags.get(resetFlag) === "true";
      const isEmpty = Object.keys(data).length === 0;
      if (isEmpty && !resets) {
        throw new DomainError("invalid_option", "Cannot change the user: no flags given");
      }
      const change = readUserChange(data, readWhich(Object.keys(data)), user);
      const changed = isEmpty ? user : await users.update(user.id, change);
      const fields = Object.keys(change);
      if (!isEmpty) {
        const subject = `${user.username}: ${fields.join(", ")}`;
        await note("user_change", { subject, details: { account: user.id, fields } });
      }
      if (resets) {
        await factors.reset(user.id);
        await note("factor_remove", { subject: user.username, details: { account: user.id } });
      }
      await printUsers(call, [changed]);
      if (resets) call.print(`Removed the second factors of "${changed.username}"`);
    },
  },
  {
    name: "users rm",
    words: "<id|name>",
    about: "remove a user; its files stay",
    async run(call) {
      const { users, shares, store, passwords, note } = call.records;
      const user = await findUser(users, wordAt(call, 0, "user"));
      await users.remove(user.id);
      await note("user_remove", { subject: user.username });
      await shares.removeOf(user.id);
      await new Requests(store, passwords).removeOf(user.id);
      await forgetPlaces(store, user.id);
      call.print(`Removed the user "${user.username}"`);
    },
  },
];

/**
 * Finds a user by id or name. A name of digits is found if no user has that id.
 *
 * @throws DomainError `not_found`
 */
export async function findUser(users: Users, word: string): Promise<User> {
  const all = await users.list();
  const found = all.find(({ id }) => String(id) === word) ?? await users.byName(word);
  if (found) return found;
  throw new DomainError("not_found", `Cannot find the user "${word}": no such user`);
}

async function printUsers(call: Call, users: readonly User[]): Promise<void> {
  const head = ["id", "name", "scope", "locale", "view", "admin", "may", "rules", "locked"];
  const rows = users.map((user) => [
    String(user.id),
    user.username,
    user.scope,
    user.locale,
    user.viewMode,
    user.perm.admin ? "yes" : "no",
    permissionsOf(user),
    String(user.rules.length),
    user.lockPassword ? "yes" : "no",
  ]);
  if (users.some(({ roots }) => roots.length > 0)) {
    head.push("roots");
    for (const [index, { roots }] of users.entries()) rows[index]?.push(rootsText(roots));
  }
  const quotas = await quotaTexts(call, users);
  if (quotas.size > 0) {
    head.push("quota");
    for (const [index, { id }] of users.entries()) rows[index]?.push(quotas.get(id) ?? "-");
  }
  for (const line of tableLines(head, rows)) call.print(line);
}

/** The names of permissions, without `admin`, for people. */
export function permissionsOf({ perm }: Pick<User, "perm">): string {
  const names = Object.entries(perm).filter(([name, has]) => has && name !== "admin");
  return names.map(([name]) => name).join(",") || "-";
}
