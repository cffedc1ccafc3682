import { useEffect, useRef } from "react";
import { useFiles } from "../navigation/use_files.ts";

/** Calls `close` once the back button, or something else, has put another place on the screen. */
export function useLeftPlace(close: () => void): void {
  const { path } = useFiles().navigation.place.value;
  const first = useRef(path);
  useEffect(() => {
    if (path !== first.current) close();
  }, [path]);
}
