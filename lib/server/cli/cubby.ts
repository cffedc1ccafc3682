/** `deno task cubby`: administers the records of a server from the command line. */
import { standardInput } from "./password_input.ts";
import { runCommand } from "./run_command.ts";

Deno.exit(
  await runCommand(Deno.args, {
    env: Deno.env,
    cwd: Deno.env.get("INIT_CWD") ?? Deno.cwd(),
    print: (line) => console.log(line),
    warn: (line) => console.error(line),
    input: standardInput((text) => void Deno.stderr.writeSync(new TextEncoder().encode(text))),
  }),
);
