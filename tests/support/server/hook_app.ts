/** Applications whose passwords a shell script knows, which tests write as they need it. */
import { temporaryFolder } from "../disks/files.ts";
import { startApp, type TestApp } from "./app.ts";

/** An application that signs in by a script. */
export interface HookApp extends TestApp {
  /** Writes the script: the next sign-in runs it. */
  write(script: string): Promise<void>;
  /** Signs in by the call, from an address of the test's own. */
  signIn(username: string, password?: string, from?: string): Promise<Response>;
}

/**
 * Starts one for all tests of a file: it ends the host of its programs without waiting for it.
 *
 * @param folder where the script lies; a temporary one unless given
 */
export async function startHookApp(config: object = {}, folder?: string): Promise<HookApp> {
  const own = folder === undefined ? await temporaryFolder() : null;
  const program = `${folder ?? own?.path}/knows passwords.sh`;
  await Deno.writeTextFile(program, "");
  const app = await startApp({
    inProcess: true,
    config: {
      authMethod: "hook",
      authCommand: `sh "${program}" --word`,
      authCreateUsers: true,
      execSandbox: "none",
      ...config,
    },
  });
  const close = async () => {
    await app.close();
    await own?.[Symbol.asyncDispose]();
  };
  return {
    ...app,
    write: (script) => Deno.writeTextFile(program, script),
    signIn: (username, password = "secret", from) =>
      app.call("POST", "/api/login", { json: { username, password }, ...from && { from } }),
    close,
    [Symbol.asyncDispose]: close,
  };
}
