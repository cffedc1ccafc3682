import { useState } from "react";
import { keepIn, openLocalStorage } from "../core/browser_storage.ts";
import { useMediaNow } from "./use_media_now.ts";

/** Where the browser keeps whether the filmstrip is shown. */
const KEY = "filmstrip";

/** Whether the filmstrip is shown. Small screens have it when the user asks for it. */
export function useFilmstrip(): [isShown: boolean, toggle: () => void] {
  const isLarge = useMediaNow("(width > 46em) and (height > 30em)");
  const [chosen, setChosen] = useState(() => openLocalStorage().getItem(KEY));
  const isShown = chosen === null ? isLarge : chosen === "shown";
  const toggle = () => {
    const choice = isShown ? "hidden" : "shown";
    keepIn(openLocalStorage(), KEY, choice);
    setChosen(choice);
  };
  return [isShown, toggle];
}
