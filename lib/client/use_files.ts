import type { Actions } from "./actions.ts";
import type { Listing } from "./listing.ts";
import type { Navigation } from "./navigation.ts";
import type { Uploads } from "./uploads.ts";

/** What the islands of the files page share. */
export interface Files {
  navigation: Navigation;
  listing: Listing;
  uploads: Uploads;
  actions: Actions;
}

/** The stores of the files page. Read signals of them in the component that shows them. */
export declare function useFiles(): Files;
