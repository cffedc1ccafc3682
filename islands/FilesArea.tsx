import { FilesView } from "../components/FilesView.tsx";
import { ShellSlot } from "../components/shell/ShellSlot.tsx";
import { Subhead } from "../components/Subhead.tsx";
import { useFollowedFocus } from "../lib/client/use_attention.ts";
import type { Clock } from "../lib/client/use_clock.ts";
import { usePageKeys } from "../lib/client/use_page_keys.ts";

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
