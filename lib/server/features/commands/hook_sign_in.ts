import { HookCheck, type HookCheckOptions } from "../accounts/auth/hook/hook_check.ts";
import type { PasswordCheck } from "../accounts/auth/session.ts";
import type { Config } from "../../core/config/config.ts";
import { CommandRunner } from "./command_runner.ts";
import { runSignInProgram } from "./sign_in_program.ts";

/** The check of passwords by a program, and the end of its host. */
export interface HookSignIn {
  check: PasswordCheck;
  close(): Promise<void>;
}

/**
 * Opens the check of passwords by a program; null under another method. The program runs in the
 * host of commands, which users reach only where commands are on.
 */
export async function openHookSignIn(
  config: Config,
  options: Omit<HookCheckOptions, "run" | "createUsers">,
): Promise<HookSignIn | null> {
  const { authMethod, authCommand = "", authCreateUsers: createUsers } = config;
  if (authMethod !== "hook") return null;
  const runner = await CommandRunner.open({ ...config, disableExec: false });
  const check = new HookCheck({
    ...{ ...options, createUsers },
    run: (env) => runSignInProgram(runner, authCommand, env),
  });
  return {
    check: (username, password) => check.check(username, password),
    close: () => runner.close(),
  };
}
