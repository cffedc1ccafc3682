import type { Sorting } from "../../shared/api_types.ts";
import type { Api } from "../api/api.ts";
import type { FilesPageData } from "../core/page.ts";

/** Where the entries of a listing come from, and who hears of its order. */
export interface ListingOptions {
  api: Pick<Api, "resource">;
  /** What the server rendered the page with. */
  initial?: FilesPageData;
  /** Called when the user chooses an order. */
  onSorted?: (sorting: Sorting) => void;
}
