import { inviteDraftSchema } from "../../shared/schemas/invite.ts";
import { read } from "../../shared/schemas/read.ts";
import { Invites } from "../auth/invites/invites.ts";
import { LoginThrottle } from "../auth/login_throttle.ts";
import { makeHome } from "../files/make_home.ts";
import type { User } from "../users/user.ts";
import { type Call, type Command, wordAt } from "./command.ts";
import { type CommandFlag, dataOf } from "./flags.ts";
import { findUser } from "./user_commands.ts";

const flags: readonly CommandFlag[] = [{ name: "hours", value: "NUMBER", isNumber: true }];

/** The commands that make links for a new user and for a new password. */
export const inviteCommands: Command[] = [
  {
    name: "users invite",
    words: "[<name>]",
    about: "print a link that makes a user, once; --hours until it is over (72)",
    flags,
    run: (call) => printLink(call, null),
  },
  {
    name: "users reset-link",
    words: "<id|name>",
    about: "print a link that sets a user's password, once; --hours until it is over (72)",
    flags,
    run: async (call) =>
      printLink(call, await findUser(call.records.users, wordAt(call, 0, "user"))),
  },
];

async function printLink(call: Call, user: User | null): Promise<void> {
  const { store, users, settings, openGate } = call.records;
  const given = { ...dataOf(call.flags, flags), username: user ? null : call.words[0] ?? null };
  const { username, hours } = read(inviteDraftSchema, given);
  const invites = new Invites({
    ...{ store, users, settings, attempts: new LoginThrottle(store) },
    makeHome: async (home) => await makeHome(await openGate(), home),
  });
  const by = "the command line";
  const { secret, invite } = await invites.create({ username, user, by, hours });
  call.print(`The address of the server, and behind it: /invite#${secret}`);
  call.print(`It works once, until ${new Date(invite.expires).toISOString()}`);
}
