/**
 * The style sheets besides the first one, which every page loads before it is shown:
 *
 * - `late`: what only late code shows. The browser loads it with the first late chunk, and waits
 *   for both (`lib/client/base/core/lazy.ts`).
 * - `print`: pages on paper. Browsers load it last, as its link is for print alone.
 * - `players`, `text`: those of films and music, and the editor of texts, which the browser loads
 *   with their code.
 * - `settings`, `photos`, `office`, `share`: what only those pages show. They load it in their head.
 */
export type SheetName =
  | "site"
  | "late"
  | "print"
  | "settings"
  | "photos"
  | "office"
  | "share"
  | "players"
  | "text";

/**
 * Which style sheets are not in the first one: folders, or files. Some are in two sheets, as pages
 * without late code need them, too.
 */
export const SHEETS: Readonly<Record<Exclude<SheetName, "site">, readonly string[]>> = {
  late: [
    "components/dialogs.css",
    "components/folds.css",
    "components/loading.css",
    "lib/client/files_page/actions/",
    "lib/client/files_page/drag/",
    "lib/client/screens/editor/editor_frame.css",
    "lib/client/files_page/info/",
    "lib/client/files_page/listing/listing_late.css",
    "lib/client/files_page/live/",
    "lib/client/files_page/menu/",
    "lib/client/screens/notifications/",
    "lib/client/files_page/layout/header/account.css",
    "lib/client/files_page/layout/sidebar/drawer.css",
    "lib/client/screens/preview/archive/",
    "lib/client/screens/preview/documents.css",
    "lib/client/screens/preview/pdf/",
    "lib/client/screens/preview/viewer.css",
    "lib/client/screens/preview/viewer_tools.css",
    "lib/client/base/prompts/",
    "lib/client/screens/search/",
    "lib/client/files_page/selection/",
    "lib/client/files_page/sharing/",
    "lib/client/screens/terminal/",
    "lib/client/base/ui/lists/pick.css",
    "lib/client/files_page/uploads/",
  ],
  players: [
    "lib/client/screens/music/",
    "lib/client/screens/preview/film/",
    "lib/client/screens/preview/player/",
  ],
  text: ["lib/client/screens/editor/editor.css", "lib/client/screens/editor/coediting/"],
  print: ["static/styles/print.css"],
  settings: [
    "components/dialogs.css",
    "components/folds.css",
    "components/tables.css",
    "lib/client/files_page/layout/sidebar/drawer.css",
    "lib/client/base/ui/lists/",
    "lib/client/screens/settings/",
    "lib/client/files_page/sharing/qr.css",
  ],
  photos: [
    "lib/client/files_page/layout/sidebar/drawer.css",
    "lib/client/screens/photos/",
  ],
  office: ["lib/client/screens/office/"],
  share: [
    "lib/client/screens/request_page/",
    "lib/client/screens/share_page/",
    "lib/client/files_page/sharing/qr.css",
  ],
};
