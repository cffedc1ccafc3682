import type { Signal } from "@preact/signals";
import type { TFunction } from "i18next";
import { type EntryPath, parsePath } from "../../../shared/path.ts";
import type { Failure, Result } from "../../../shared/result.ts";
import type { Favorite } from "../../../shared/schemas/places.ts";
import { pathIn } from "../../base/files/action_helpers.ts";
import type { Target } from "../../base/files/target.ts";
import type { Api } from "../../base/api/api.ts";
import { reasonOf } from "../../base/api/reasons.ts";
import type { Toasts } from "../../base/ui/toasts.ts";
import type { Calls } from "../../base/api/calls.ts";

/** The dependencies of changes of the favourites. */
export interface FavoriteOptions {
  api: Pick<Api, "calls">;
  favorites: Signal<readonly Favorite[]>;
  toasts: Toasts;
  t: TFunction;
}

/** Stars entries; takes their stars away when all of them have one. */
export async function star(options: FavoriteOptions, target: Target): Promise<void> {
  const names = await target.names();
  if (!names.ok) return fail(options, names);
  await starPaths(options, names.value.map((name) => pathIn(target.folder, name)), true);
}

/** Stars entries. @param toggles takes the stars away when all have one */
export async function starPaths(
  options: FavoriteOptions,
  paths: readonly EntryPath[],
  toggles = false,
): Promise<void> {
  const { favorites, toasts, t } = options;
  const starred = new Set<string>(favorites.peek().map(({ path }) => path));
  const isOff = toggles && paths.every((path) => starred.has(path));
  const isDone = await change(options, paths, (api, path) => {
    return isOff ? api.remove(path) : api.put(path);
  });
  if (isDone && !isOff) toasts.success(t("toasts.starred"));
}

/** Takes away the star of an entry. */
export async function unstar(options: FavoriteOptions, { path }: Favorite): Promise<void> {
  await change(options, [parsePath(path).path], (api, at) => api.remove(at));
}

/** Moves a favourite before another one, or to the end. */
export async function moveFavorite(
  options: FavoriteOptions,
  { path }: Favorite,
  before: Favorite | undefined,
): Promise<void> {
  const next = before && parsePath(before.path).path;
  await change(options, [parsePath(path).path], (api, at) => api.put(at, next));
}

/** Reads the favourites again; keeps those that are shown when that fails. */
export async function refreshFavorites({ api, favorites }: FavoriteOptions): Promise<void> {
  const answer = await new FavoritesApi(api.calls).list();
  if (answer.ok) favorites.value = answer.value;
}

async function change(
  options: FavoriteOptions,
  paths: readonly EntryPath[],
  act: (api: FavoritesApi, path: EntryPath) => Promise<Result<void>>,
): Promise<boolean> {
  const api = new FavoritesApi(options.api.calls);
  let failure: Failure | undefined;
  for (const path of paths) {
    const answer = await act(api, path);
    if (answer.ok) continue;
    failure = answer;
    break;
  }
  await refreshFavorites(options);
  if (failure) fail(options, failure);
  return failure === undefined;
}

function fail({ toasts, t }: FavoriteOptions, why: Failure): void {
  toasts.error(t("failures.star", { reason: reasonOf(t, why) }));
}

/** The client of the calls about favourites. */
class FavoritesApi {
  readonly #calls: Calls;

  /** @param calls those of the page's client, with which it shares the session */
  constructor(calls: Calls) {
    this.#calls = calls;
  }

  /** The favourites in their order. */
  list(signal?: AbortSignal): Promise<Result<Favorite[]>> {
    return this.#calls.json("GET /api/favorites", { signal });
  }

  /** Stars an entry, or moves its star. @param before the favourite that it comes before */
  put(at: EntryPath, before?: EntryPath): Promise<Result<void>> {
    return this.#calls.done("PUT /api/favorites/{path}", {
      params: { path: at },
      query: { before },
    });
  }

  /** Takes a star away. */
  remove(at: EntryPath): Promise<Result<void>> {
    return this.#calls.done("DELETE /api/favorites/{path}", { params: { path: at } });
  }
}
