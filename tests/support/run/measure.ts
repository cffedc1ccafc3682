/**
 * `deno run -A measure.ts FILE PROGRAM [ARGUMENT …]`: runs a program, and writes how many seconds it
 * and all that it started kept processors busy.
 */
import { openAccount } from "./processor_account.ts";

const [file = "", program = "", ...args] = Deno.args;
const account = openAccount();
const child = new Deno.Command(program, { args, stdin: "null" }).spawn();
for (const signal of ["SIGTERM", "SIGINT"] as const) {
  Deno.addSignalListener(signal, () => child.kill(signal));
}
const { code, signal } = await child.status;
await Deno.writeTextFile(file, String(account.close()));
if (signal) console.error(`${program} ended by ${signal}`);
Deno.exit(code);
