import { isoOf } from "../../../shared/time.ts";
import { keptPlaceIn, pathIn, type Placed } from "../../../shared/named_roots.ts";
import type { Context } from "fresh";
import { DomainError } from "../../../shared/errors.ts";
import { nameOf, parsePath } from "../../../shared/path.ts";
import type { TrashItem, TrashPage, TrashUsage } from "../../../shared/schemas/trash.ts";
import type { Cubby } from "../../boot/cubby/cubby.ts";
import type { State } from "../define.ts";
import type { Settings } from "../../../shared/schemas/settings.ts";
import { expiryOf } from "../../files/trash/expire_trash.ts";
import { isTrashId, type TrashedEntry } from "../../files/trash/trash_records.ts";
import { signedInOf } from "../middleware/sign_in.ts";
import { countOption, flagOption } from "./query.ts";

/**
 * Whether a deletion is to go to the trash: as `?trash=` says, or else the settings.
 *
 * @param otherwise in place of the settings, where they are against it
 */
export function wantsTrash(ctx: Context<State>, otherwise = false): boolean {
  const { searchParams } = ctx.url;
  return searchParams.has("trash")
    ? flagOption(searchParams, "trash")
    : signedInOf(ctx).settings.trash.byDefault || otherwise;
}

/** Most entries of a user's trash in one answer. */
const maxListed = 1000;

/**
 * The entries in the trash of the request's user that the query asks for.
 *
 * @param max entries, unless the query says how many
 * @throws {DomainError} `invalid_option`, `invalid_path`
 */
export async function trashPage(ctx: Context<State>, max = maxListed): Promise<TrashPage> {
  const { user, settings } = signedInOf(ctx);
  const { searchParams } = ctx.url;
  const words = (searchParams.get("query") ?? "").toLowerCase().split(/\s+/).filter(Boolean);
  const limit = Math.min(countOption(searchParams, "limit") || max, maxListed);
  const before = searchParams.get("before") ?? undefined;
  if (before !== undefined && !isTrashId(before)) {
    throw new DomainError(
      "invalid_option",
      `Cannot list the trash before "${before}": invalid id`,
    );
  }
  const versionsOf = searchParams.get("versions");
  const file = versionsOf === null ? null : keptPlaceIn(user, parsePath(versionsOf).path);
  const others = flagOption(searchParams, "all") ? "all" : "deleted";
  const { entries, next } = await ctx.state.cubby.trash.records.page(user.id, {
    of: file ?? others,
    ...{ before, limit },
    ...words.length > 0 && {
      isFound: ({ path }: TrashedEntry) => {
        const name = nameOf(path).toLowerCase();
        return words.every((word) => name.includes(word));
      },
    },
  });
  return { items: entries.map((entry) => itemOf(entry, user, settings.trash)), next };
}

/** How much the trash holds, with the names of its users. */
export async function trashUsage({ trash, users }: Cubby): Promise<TrashUsage> {
  const { users: fullest, isPartial } = await trash.meter.usage();
  const owners = await users.some(fullest.map(({ userId }) => userId));
  const names = new Map(owners.map(({ id, username }) => [id, username]));
  return {
    users: fullest.map(({ userId: id, entries, bytes }) => {
      return { id, name: names.get(id) ?? null, entries, bytes };
    }),
    isPartial,
  };
}

function itemOf(entry: TrashedEntry, user: Placed, settings: Settings["trash"]): TrashItem {
  const { id, path, isDir, size, at } = entry;
  return {
    id,
    name: nameOf(path),
    path: pathIn(user, path),
    isDir,
    size,
    deleted: isoOf(at),
    expires: isoOf(expiryOf(entry, settings)),
  };
}
