import type { Context } from "fresh";
import type { Access } from "../../access/access.ts";
import { type EntryPath, nameOf } from "../../../shared/path.ts";
import { realChild } from "../../disk/real_path.ts";
import type { WriteHandle } from "../../access/write_handle.ts";
import type { State } from "../../define.ts";
import { type HookedEvent, type HookSubject, withHooks } from "../../hooks/hooks.ts";
import { signedInOf } from "../middleware/sign_in.ts";

/** The event and subject of a request, without its user and address. */
export type Hooked<T> = { event: HookedEvent } & Omit<HookSubject<T>, "signedIn" | "address">;

/**
 * Runs a request's operation between the commands that are hooked before and after its event.
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

/** The event and subject of a copy or a move, whose operation returns the resulting path. */
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
