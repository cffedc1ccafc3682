import type { Signal } from "@preact/signals";
import type { TFunction } from "i18next";
import type { Permissions } from "../../../shared/schemas/rights.ts";
import type { Api } from "../../base/api/api.ts";
import type { Clipboard } from "./clipboard.ts";
import type { RootAccess } from "../../base/core/root_access.ts";
import type { Favorite } from "../../../shared/schemas/places.ts";
import type { Listing } from "../listing/listing.ts";
import type { Navigation } from "../../base/navigation/navigation.ts";
import type { Prompts } from "../../base/prompts/prompts.ts";
import type { Saving } from "./save_link.ts";
import type { Tasks } from "../../base/files/tasks.ts";
import type { Toasts } from "../../base/ui/toasts.ts";

/** The dependencies of the actions. */
export interface ActionsOptions {
  api: Api;
  listing: Listing;
  navigation: Pick<Navigation, "go" | "guard" | "href" | "leave">;
  prompts: Prompts;
  tasks: Tasks;
  clipboard: Clipboard;
  favorites: Signal<readonly Favorite[]>;
  toasts: Toasts;
  /** Whether details are shown at the side of wide screens. */
  details: Signal<boolean>;
  t: TFunction;
  /** BCP 47, such as "pt-BR". */
  language: string;
  may: (permission: keyof Permissions) => boolean;
  rootAccess: RootAccess;
  /** Whether the user wants to see the destination after a copy or a move. */
  follows: () => boolean;
  /** Tells what was done by jobs, which can be undone. */
  tell: (text: string, jobs: readonly string[]) => void;
  /** Whether the user wants to be asked before entries are moved to the trash. */
  asksToTrash: () => boolean;
  /** Saves downloads; by the browser when left out. */
  saving?: Saving;
}

/** The entries of an archive to extract. */
export interface ExtractChoice {
  /** Paths in the archive; all of it when left out. */
  names?: readonly string[];
  /** Asks for the folder in which the new one is made; beside the archive when left out. */
  asks?: boolean;
}
