import { DomainError } from "../../shared/errors.ts";
import { version } from "../../shared/version.ts";
import { type Command, wordAt } from "./command.ts";

/** The commands that need no records. */
export const plainCommands: Command[] = [
  {
    name: "hash",
    words: "<password>",
    about: "print the bcrypt hash of a password, for --password",
    async run(call) {
      call.print(await call.records.passwords.hash(wordAt(call, 0, "password")));
    },
  },
  {
    name: "version",
    words: "",
    about: "print the version",
    run: ({ print }) => print(`Cubby ${version}`),
  },
  {
    name: "completion",
    words: "[<shell>]",
    about: "answers that the shell completes tasks of Deno",
    run() {
      throw new DomainError(
        "not_supported",
        'Cannot print completions: "deno completions" prints those of Deno, which runs these commands',
      );
    },
  },
  {
    name: "upgrade",
    words: "",
    about: "answers that stores are upgraded by themselves",
    run: ({ print }) =>
      print(
        "Nothing to do: a store is upgraded when it is opened; import takes File Browser's over",
      ),
  },
];
