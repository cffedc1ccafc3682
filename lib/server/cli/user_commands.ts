import { forgetPlaces } from "../places/forget_places.ts";
import { DomainError } from "../../shared/errors.ts";
import { makeHome } from "../files/make_home.ts";
import { addUser } from "../users/add_user.ts";
import { readUserChange, readWhich } from "../users/read_user.ts";
import type { User } from "../users/user.ts";
import type { Users } from "../users/users.ts";
import type { MakeHome } from "../users/with_home.ts";
import { type Call, type Command, wordAt } from "./command.ts";
import { dataOf } from "./flags.ts";
import { tableLines } from "./table.ts";
import { userChangeFlags, userFlags } from "./user_flags.ts";

/** The commands that manage users. */
export const userCommands: Command[] = [
  {
    name: "users add",
    words: "<name> <password>",
    about: "add a user; what is not said comes from the defaults",
    flags: userFlags,
    async run(call) {
      const { users, settings, openGate } = call.records;
      const data = {
        ...dataOf(call.flags, userFlags),
        username: wordAt(call, 0, "name"),
        password: wordAt(call, 1, "password"),
      };
      const make: MakeHome = async (home) => await makeHome(await openGate(), home);
      printUsers(call, [await addUser(users, await settings.get(), data, make)]);
    },
  },
  {
    name: "users ls",
    words: "",
    about: "list all users",
    async run(call) {
      printUsers(call, await call.records.users.list());
    },
  },
  {
    name: "users find",
    words: "<id|name>",
    about: "show one user",
    async run(call) {
      printUsers(call, [await findUser(call.records.users, wordAt(call, 0, "user"))]);
    },
  },
  {
    name: "users update",
    words: "<id|name>",
    about: "change what is said of a user",
    flags: userChangeFlags,
    async run(call) {
      const { users } = call.records;
      const user = await findUser(users, wordAt(call, 0, "user"));
      const data = dataOf(call.flags, userChangeFlags);
      if (Object.keys(data).length === 0) {
        throw new DomainError("invalid_option", "Cannot change the user: no flag says what");
      }
      const change = readUserChange(data, readWhich(Object.keys(data)), user);
      printUsers(call, [await users.update(user.id, change)]);
    },
  },
  {
    name: "users rm",
    words: "<id|name>",
    about: "remove a user; its files stay",
    async run(call) {
      const { users, shares, store } = call.records;
      const user = await findUser(users, wordAt(call, 0, "user"));
      await users.remove(user.id);
      await shares.removeOf(user.id);
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
  throw new DomainError("not_found", `Cannot find the user "${word}": there is none`);
}

function printUsers({ print }: Call, users: readonly User[]): void {
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
  for (const line of tableLines(head, rows)) print(line);
}

function permissionsOf({ perm }: User): string {
  const names = Object.entries(perm).filter(([name, has]) => has && name !== "admin");
  return names.map(([name]) => name).join(",") || "-";
}
