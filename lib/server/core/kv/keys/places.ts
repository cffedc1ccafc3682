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
  /** The favourites of a user, in their order: at most 60 KiB. */
  list(userId) {
    return ["favorites", userId];
  },
  lists() {
    return ["favorites"];
  },
  /** The index of favourites by path: empty values. */
  index(segments = []) {
    return ["favorite_places", ...segments];
  },
};

/** The files that users have used last. */
export const recentKeys: PlaceListKeys = {
  /** The files that a user has used last: at most 60 KiB. */
  list(userId) {
    return ["recent", userId];
  },
  lists() {
    return ["recent"];
  },
  /** The index of recent files by path: empty values. */
  index(segments = []) {
    return ["recent_places", ...segments];
  },
};

/** How users look at folders. */
export const folderViewKeys: PlaceListKeys = {
  /** How a user looks at folders: at most 60 KiB. */
  list(userId) {
    return ["folder_views", userId];
  },
  lists() {
    return ["folder_views"];
  },
  /** The index of views of folders by path: empty values. */
  index(segments = []) {
    return ["folder_view_places", ...segments];
  },
};
