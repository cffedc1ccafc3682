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
];
