/** The keys of one kind of lists of places: a list for each user, and an index of them by path. */
export interface PlaceListKeys {
  /** A user's list: one record of at most 60 KiB. */
  list(userId: number): Deno.KvKey;
  /** Prefix of the lists of all users. */
  lists(): Deno.KvKey;
  /** Prefix of the index of what is listed at or below a path, apart from collisions of digests. */
  index(segments?: Uint8Array[]): Deno.KvKey;
}

/** The favourites of users. */
export const favoriteKeys: PlaceListKeys = {
  list(userId) {
    return ["favorites", userId];
  },
  lists() {
    return ["favorites"];
  },
  index(segments = []) {
    return ["favorite_places", ...segments];
  },
};

/** The files that users have used last. */
export const recentKeys: PlaceListKeys = {
  list(userId) {
    return ["recent", userId];
  },
  lists() {
    return ["recent"];
  },
  index(segments = []) {
    return ["recent_places", ...segments];
  },
};

/** How users look at folders. */
export const folderViewKeys: PlaceListKeys = {
  list(userId) {
    return ["folder_views", userId];
  },
  lists() {
    return ["folder_views"];
  },
  index(segments = []) {
    return ["folder_view_places", ...segments];
  },
};
