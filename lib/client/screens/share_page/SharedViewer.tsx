import { useEffect, useState } from "react";
import type { Clock } from "../../../shared/clock.ts";
import type { Entry } from "../../../shared/schemas/entry.ts";
import { lazy } from "../../base/core/lazy.ts";
import { useHydrated } from "../../base/core/page.ts";
import { useMusicRequests } from "../../base/core/use_panels.ts";
import { useLazy } from "../../base/core/use_site.ts";
import { PlayButton } from "../../files_page/menu/PlayButton.tsx";
import { viewChoice } from "./share_links.ts";

const files = lazy(() => import("./SharedFiles.tsx"));

/** The props of the viewer of a share; they travel to the browser. */
export interface SharedViewerProps {
  clock: Clock;
  /** A file is open, rather than a folder. */
  isFile: boolean;
}

/**
 * The viewers of users' files on the page of a share. What the server drew is seen until their code
 * is there, which waits until the page is loaded, and until something is to be shown by it.
 */
export function SharedViewer({ clock, isFile }: SharedViewerProps) {
  const isLoaded = useLoaded();
  const asPhotos = usePhotosChoice();
  const wantsMusic = useMusicRequests().value.length > 0;
  const code = useLazy(files, wantsMusic || (isLoaded && (isFile || asPhotos)));
  return (
    <div className="shared__files" data-photos={asPhotos && code ? true : undefined}>
      {code && <code.SharedFiles clock={clock} asPhotos={asPhotos} />}
    </div>
  );
}

/** Plays the music of the folder on the page. */
export function PlayMusic({ folder }: { folder: Entry }) {
  const isReady = useHydrated();
  return isReady ? <PlayButton folder={folder} /> : null;
}

/** Whether the page is loaded, with its pictures. */
function useLoaded(): boolean {
  const [isLoaded, setLoaded] = useState(false);
  useEffect(() => {
    const finish = () => setLoaded(true);
    if (document.readyState === "complete") finish();
    addEventListener("load", finish);
    return () => removeEventListener("load", finish);
  }, []);
  return isLoaded;
}

/** Whether the visitor looks at the folder as photos: the radio buttons of the server's page say. */
function usePhotosChoice(): boolean {
  const [isChosen, setChosen] = useState(false);
  useEffect(() => {
    const choice = document.querySelector<HTMLInputElement>(viewChoice("photos"));
    if (!choice) return;
    const follow = () => setChosen(choice.checked);
    follow();
    const views = choice.closest("fieldset");
    views?.addEventListener("change", follow);
    return () => views?.removeEventListener("change", follow);
  }, []);
  return isChosen;
}
