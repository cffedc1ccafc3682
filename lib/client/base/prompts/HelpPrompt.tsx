import { useTranslation } from "react-i18next";
import { useMay } from "../core/use_site.ts";
import { useShellPanel } from "../core/use_panels.ts";
import { Prompt } from "../../../../components/Prompt.tsx";
import type { PromptBodyProps } from "./prompts.ts";

/** The shortcuts by group: the key of the text, in `keys` or elsewhere, and the keys joined by "+". */
const GROUPS = {
  page: [
    ["help", "F1"],
    ["search", "Mod+F"],
    ["download", "Mod+S"],
    ["shell", "Ctrl+`"],
    ["details", "I"],
    ["region", "F6"],
    ["clear", "Esc"],
  ],
  go: [
    ["move", "↑ ↓"],
    ["extend", "Shift+↑ ↓"],
    ["open", "Enter"],
    ["up", "Alt+↑"],
    ["type", "A–Z"],
    ["filter", "/"],
  ],
  selection: [
    ["rename", "F2"],
    ["delete", "Del"],
    ["deleteForGood", "Shift+Del"],
    ["undo", "Mod+Z"],
    ["copy", "Mod+C"],
    ["cut", "Mod+X"],
    ["paste", "Mod+V"],
    ["selectAll", "Mod+A"],
    ["toggle", "Space"],
    ["star", "*"],
  ],
  viewer: [
    ["viewTurn", "← →"],
    ["preview.fullScreen", "F"],
    ["preview.slideshow", "S"],
    ["viewPlay", "Space"],
    ["viewZoom", "− 0 +"],
    ["preview.rotateRight", "R"],
    ["preview.rotateLeft", "Shift+R"],
  ],
  film: [
    ["viewPlay", "Space, K"],
    ["filmSkip", "J L"],
    ["filmTenth", "0–9"],
    ["music.volume", "↑ ↓"],
    ["music.mute", "M"],
    ["preview.subtitles", "C"],
    ["film.speed", "< >"],
    ["film.next", "Shift+N"],
  ],
  text: [
    ["textSave", "Mod+S"],
    ["textFind", "Mod+F"],
    ["textReplace", "Mod+H"],
    ["textLine", "Ctrl+G"],
    ["textLeave", "Esc, Tab"],
  ],
} as const;

/** The shortcuts of the files page that this user may use. */
export function HelpPrompt({ onClose }: PromptBodyProps<"help">) {
  const { t } = useTranslation();
  const may = useMay();
  const isMac = /Mac|iPhone|iPad/.test(navigator.platform);
  const { allowed: hasShell } = useShellPanel();
  const isOffered = (what: string) =>
    what === "shell"
      ? hasShell
      : what === "deleteForGood"
      ? may("delete")
      : !isPermission(what) || may(what);
  return (
    <Prompt title={t("prompts.helpTitle")} onClose={onClose} tall>
      <div className="keys" tabIndex={0} role="region" aria-label={t("prompts.helpTitle")}>
        <div className="keys__groups">
          {Object.entries(GROUPS).map(([group, entries]) => (
            <section key={group}>
              <h3 className="prompt__subtitle">{t(`keys.${group as keyof typeof GROUPS}`)}</h3>
              <dl>
                {entries.filter(([what]) => isOffered(what)).map(([what, keys]) => (
                  <div className="keys__line" key={what}>
                    <dt>{t(wordOf(what))}</dt>
                    <dd>
                      {keys.split(/\+(?=\S)/).map((key) => (
                        <kbd key={key}>{key === "Mod" ? (isMac ? "⌘" : "Ctrl") : key}</kbd>
                      ))}
                    </dd>
                  </div>
                ))}
              </dl>
            </section>
          ))}
        </div>
      </div>
    </Prompt>
  );
}

type Shortcut = typeof GROUPS[keyof typeof GROUPS][number][0];

/** The key of the text of a shortcut. */
function wordOf<S extends Shortcut>(what: S) {
  return what.includes(".")
    ? what as Extract<S, `${string}.${string}`>
    : `keys.${what as Exclude<S, `${string}.${string}`>}` as const;
}

/** Whether the user has the permission of a shortcut's action. */
function isPermission(what: string): what is "rename" | "delete" | "download" {
  return what === "rename" || what === "delete" || what === "download";
}
