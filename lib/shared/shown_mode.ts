import type { ViewMode } from "./schemas/choices/choices.ts";
import type { Resource } from "./schemas/entry.ts";
import type { TokenUser } from "./schemas/user.ts";

/**
 * A folder is one of pictures with at least this number, and at least this share of its entries.
 */
const FEWEST_PICTURES = 6;
const PICTURES_SHARE = 0.75;

/** Whether a folder is one of pictures; undefined where they were not counted. */
export function isOfPictures(
  { pictures, numDirs = 0, numFiles = 0 }: Pick<Resource, "pictures" | "numDirs" | "numFiles">,
): boolean | undefined {
  if (pictures === undefined) return undefined;
  return pictures >= FEWEST_PICTURES && pictures >= PICTURES_SHARE * (numDirs + numFiles);
}

/** How a folder is shown when it is opened: as chosen for it, as photos, or as the account says. */
export function shownMode(
  { viewMode, picturesAsPhotos }: Pick<TokenUser, "viewMode" | "picturesAsPhotos">,
  resource: Resource,
): ViewMode {
  const other = picturesAsPhotos && isOfPictures(resource) ? "mosaic gallery" : viewMode;
  return resource.view?.viewMode ?? other;
}
