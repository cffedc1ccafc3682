import { FilesView } from "../lib/client/navigation/FilesView.tsx";
import { ShellSlot } from "../lib/client/terminal/ShellSlot.tsx";
import { Subhead } from "../lib/client/navigation/Subhead.tsx";
import { useFollowedFocus } from "../lib/client/ui/use_attention.ts";
import type { Clock } from "../lib/client/core/use_clock.ts";
import { usePageKeys } from "../lib/client/ui/use_page_keys.ts";

interface FilesAreaProps {
  /** The server's clock, for the first rendering. */
  clock: Clock;
}

/** The sheet of the files page: the way to the present place, and what is there. */
export function FilesArea({ clock }: FilesAreaProps) {
  useFollowedFocus();
  usePageKeys();
  return (
    <>
      <Subhead />
      <FilesView clock={clock} />
      <ShellSlot />
    </>
  );
}
