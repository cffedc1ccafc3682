/** The path, below the base path, of the WebSocket that tells pages when the process restarts. */
export const ALIVE_URL = "/_frsh/alive";

/** The query parameter that ties a URL to one build. */
export const ASSET_CACHE_BUST_KEY = "__frsh_c";

/** The query parameter of a request for parts of a page. */
export const PARTIAL_SEARCH_PARAM = "fresh-partial";

/** Files that are neither routes nor islands. */
export const TEST_FILE_PATTERN = /[._]test\.(?:[tj]sx?|[mc][tj]s)$/;
