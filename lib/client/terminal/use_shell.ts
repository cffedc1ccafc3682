import { presentFolder } from "../listing/present_folder.ts";
import { Shell } from "./shell.ts";
import { ShellHistory } from "./shell_history.ts";
import { useShared } from "../core/shared.ts";
import { openLocalStorage } from "../core/browser_storage.ts";
import { useFiles } from "../navigation/use_files.ts";
import { useShellPanel } from "./use_shell_panel.ts";
import { usePage } from "../core/page.ts";
import { useApi } from "../core/use_site.ts";

/** The shell of this page: one, which goes on while its panel is closed. */
export function useShell(): Shell {
  const files = useFiles();
  const api = useApi();
  const { user } = usePage().data;
  const { open } = useShellPanel();
  return useShared("shell", () =>
    new Shell({
      api,
      history: new ShellHistory(openLocalStorage(), user?.id ?? 0),
      folder: () => presentFolder(files),
      onEnd: () => {
        if (files.listing.resource.peek()?.isDir) void files.listing.reload();
      },
      onExit: () => {
        open.value = false;
      },
    }));
}
