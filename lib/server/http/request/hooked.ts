import type { Context } from "fresh";
import type { Access } from "../../access/access.ts";
import { type EntryPath, nameOf } from "../../../shared/path.ts";
import { realChild } from "../../disk/real_path.ts";
import type { WriteHandle } from "../../access/write_handle.ts";
import type { State } from "../../define.ts";
import { type HookedEvent, type HookSubject, withHooks } from "../../hooks/hooks.ts";
import { signedInOf } from "../middleware/sign_in.ts";

/** What a request is about, as far as the one who asks does not tell. */
export type Hooked<T> = { event: HookedEvent } & Omit<HookSubject<T>, "signedIn" | "address">;

/**
 * Does what a request asks for between the command lines that are hooked to it.
 *
 * @throws DomainError `hook_failed`, `internal`, and what the operation throws
 */
export async function hooked<T>(
  ctx: Context<State>,
  { event, ...about }: Hooked<T>,
  operation: () => Promise<T>,
): Promise<T> {
  const { cubby, address } = ctx.state;
  const subject = { ...about, address, signedIn: signedInOf(ctx) };
  return await withHooks(cubby, event, subject, operation);
}

/** What lines that are hooked to a copy or a move are told; the operation answers with its path. */
export function transferHooks(
  access: Access,
  action: "copy" | "move",
  path: EntryPath,
  to: EntryPath,
): Hooked<EntryPath> {
  const isCopy = action === "copy";
  const file = () => (isCopy ? access.copy(path) : access.rename(path)).real;
  let target: WriteHandle | undefined;
  const destination = (done = to) => {
    target ??= isCopy ? access.create(to) : access.receive(to);
    return done === to ? target.real : realChild(target.folder, nameOf(done));
  };
  return { event: isCopy ? "copy" : "rename", access, path, file, destination };
}
