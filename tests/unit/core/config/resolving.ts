/** Settings as the server would start with them. */
import assert from "node:assert/strict";
import {
  resolveConfig,
  type ResolvedConfig,
} from "../../../../lib/server/core/config/resolve_config.ts";
import { plant, temporaryFolder, type Tree } from "../../../support/disks/files.ts";

/** The sources of settings. */
export interface Given {
  args?: string[];
  env?: Record<string, string>;
  tree?: Tree;
}

/** Resolves settings in a folder of their own, with no other environment than the given one. */
export async function resolve({ args = [], env = {}, tree = {} }: Given = {}): Promise<
  ResolvedConfig & { cwd: string }
> {
  await using folder = await temporaryFolder();
  await plant(folder.path, tree);
  const variables = { get: (name: string) => env[name], toObject: () => env };
  const environment = { args, env: variables, cwd: folder.path };
  return { ...resolveConfig(environment), cwd: folder.path };
}

/** Asserts that the server does not start. */
export async function refuses(given: Given, message: string | RegExp): Promise<void> {
  await assert.rejects(() => resolve(given), { name: "StartRefusal", message });
}
