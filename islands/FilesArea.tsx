import { FilesView } from "../lib/client/navigation/FilesView.tsx";
import { Toolbar } from "../lib/client/navigation/Toolbar.tsx";
import { lazy } from "../lib/client/core/lazy.ts";
import { useLazy } from "../lib/client/core/use_site.ts";
import { useFollowedFocus } from "../lib/client/listing/use_list_keys.ts";
import type { Clock } from "../lib/shared/clock.ts";
import { usePageKeys } from "../lib/client/navigation/use_page_keys.ts";
import { useShellPanel } from "../lib/client/core/use_panels.ts";

const shellPanel = lazy(() => import("../lib/client/terminal/ShellPanel.tsx"));

interface FilesAreaProps {
  /** The server's clock, for the first rendering. */
  clock: Clock;
}

/** The main part of the files page: the breadcrumbs, the folder or file, and the shell. */
export function FilesArea({ clock }: FilesAreaProps) {
  useFollowedFocus();
  usePageKeys();
  return (
    <>
      <Toolbar />
      <FilesView clock={clock} />
      <OpenShell />
    </>
  );
}

/** The shell while it is open. */
function OpenShell() {
  const { allowed, open } = useShellPanel();
  const code = useLazy(shellPanel, open.value);
  if (!allowed || !open.value || !code) return null;
  return <code.ShellPanel onClose={() => open.value = false} />;
}
