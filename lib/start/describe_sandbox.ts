import type { Config } from "../config.ts";
import { appFolder } from "./app_folder.ts";
import type { LandlockFeatures } from "./landlock.ts";
import { isInside } from "./places.ts";

/** What is in force, in one line. */
export function describeSandbox(config: Config, landlock: LandlockFeatures | null): string {
  const commands = config.disableExec ? "commands off" : "commands on";
  const held = ["files", landlock?.ports && "ports", landlock?.signals && "signals"];
  const kernel = landlock
    ? `Landlock ABI ${landlock.abi} (${held.filter(Boolean).join(", ")}), Deno permissions`
    : "no Landlock on this system, Deno permissions alone";
  // Landlock cannot take a folder out of one that it allows; Deno can.
  const program = isInside(appFolder, config.root)
    ? "; the root holds the program, which Deno alone keeps from being rewritten"
    : "";
  return `Sandbox: ${kernel}; ${commands}${program}`;
}
