/**
 * The style sheets besides the first one, which every page loads before it is shown:
 *
 * - `late`: what only late code shows. The browser loads it with the first late chunk, and waits
 *   for both (`lib/client/core/late_styles.ts`).
 * - `settings`, `share`: what only those pages show. They load it in their head.
 */
export type SheetName = "site" | "late" | "settings" | "share";

/**
 * Which style sheets are not in the first one: folders, or files. Some are in two sheets, as pages
 * without late code need them, too.
 */
export const SHEETS: Readonly<Record<Exclude<SheetName, "site">, readonly string[]>> = {
  late: [
    "components/dialogs.css",
    "components/folds.css",
    "lib/client/actions/",
    "lib/client/drag/",
    "lib/client/editor/",
    "lib/client/info/",
    "lib/client/listing/filter.css",
    "lib/client/listing/thumbs/thumb.css",
    "lib/client/listing/view/view_menu.css",
    "lib/client/live/",
    "lib/client/menu/",
    "lib/client/music/",
    "lib/client/notifications/",
    "lib/client/layout/header/account.css",
    "lib/client/layout/sidebar/drawer.css",
    "lib/client/preview/",
    "lib/client/prompts/",
    "lib/client/search/",
    "lib/client/selection/",
    "lib/client/sharing/",
    "lib/client/terminal/",
    "lib/client/ui/lists/pick.css",
    "lib/client/uploads/",
  ],
  settings: [
    "components/dialogs.css",
    "components/folds.css",
    "components/tables.css",
    "lib/client/layout/sidebar/drawer.css",
    "lib/client/ui/lists/",
    "lib/client/places/",
    "lib/client/settings/",
    "lib/client/sharing/qr.css",
    "lib/client/trash/",
  ],
  share: [
    "lib/client/request_page/",
    "lib/client/share_page/",
    "lib/client/sharing/qr.css",
  ],
};
