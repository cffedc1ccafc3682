import { DomainError } from "../../shared/errors.ts";
import { version } from "../../shared/version.ts";
import type { Command } from "./command.ts";
import { passwordFlag, readPassword } from "./password_input.ts";

/** The commands that need no records. */
export const plainCommands: Command[] = [
  {
    name: "hash",
    store: "unused",
    words: "[<password>]",
    about: "print the bcrypt hash of a password, for --password",
    flags: [passwordFlag],
    async run(call) {
      const password = await readPassword(call, call.words[0]);
      call.print(await call.records.passwords.hash(password));
    },
  },
  {
    name: "version",
    store: "unused",
    words: "",
    about: "print the version",
    run: ({ print }) => print(`Cubby ${version}`),
  },
  {
    name: "completion",
    store: "unused",
    words: "[<shell>]",
    about: "explain shell completion",
    run() {
      throw new DomainError(
        "not_supported",
        'Cannot print completions: use "deno completions", as Deno runs these commands',
      );
    },
  },
  {
    name: "docs",
    words: "",
    about: "explain where the reference of the commands is",
    run: ({ print }) =>
      print(
        "Nothing to do: docs/cli.md lists the commands, and --help shows the flags of a command",
      ),
  },
  {
    name: "upgrade",
    store: "unused",
    words: "",
    about: "explain upgrades of the store",
    run: ({ print }) =>
      print(
        "Nothing to do: a store is upgraded when it is opened; import reads File Browser's database",
      ),
  },
];
