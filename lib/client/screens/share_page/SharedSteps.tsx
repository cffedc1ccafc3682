import { ChevronLeft, ChevronRight, type IconNode, Maximize, Play, X } from "lucide";
import { useTranslation } from "react-i18next";
import type { SharePageData } from "../../../shared/api_types.ts";
import { parentOf, parsePath } from "../../../shared/path.ts";
import { Icon } from "../../../../components/Icon.tsx";
import type { ShareLinks } from "./share_links.ts";

interface SharedStepsProps {
  shown: SharePageData;
  links: ShareLinks;
}

/** The way from a file to its neighbours and back to their folder; nothing for a single file. */
export function SharedSteps({ shown: { resource, around }, links }: SharedStepsProps) {
  const { t } = useTranslation();
  if (around === null) return null;
  const { previous, next, place, count } = around;
  const folder = parentOf(parsePath(resource.path).path);
  const isSeen = resource.type === "image" || resource.type === "video";
  return (
    <nav className="shared__steps" aria-label={t("share.steps")}>
      <Step to={previous && links.page(previous)} rel="prev" word={t("preview.previous")} />
      <span className="shared__place">{t("share.place", { place, total: count })}</span>
      <Step to={next && links.page(next)} rel="next" word={t("preview.next")} />
      <span className="shared__tools">
        {isSeen && <Act act="slideshow" glyph={Play} word={t("preview.slideshow")} />}
        {isSeen && <Act act="full" glyph={Maximize} word={t("preview.fullScreen")} />}
      </span>
      <a
        className="button button--quiet button--icon"
        data-step="up"
        href={links.page(folder, true)}
        aria-label={t("preview.close")}
        title={t("preview.close")}
      >
        <Icon glyph={X} />
      </a>
    </nav>
  );
}

interface ActProps {
  act: "slideshow" | "full";
  glyph: IconNode;
  word: string;
}

/** A button for what scripts alone can do: they show it. */
function Act({ act, glyph, word }: ActProps) {
  return (
    <button
      type="button"
      className="button button--quiet button--icon"
      data-act={act}
      hidden
      aria-pressed={false}
      aria-label={word}
      title={word}
    >
      <Icon glyph={glyph} />
    </button>
  );
}

interface StepProps {
  /** Null at the end. */
  to: string | null;
  rel: "prev" | "next";
  word: string;
}

function Step({ to, rel, word }: StepProps) {
  const glyph = rel === "prev" ? ChevronLeft : ChevronRight;
  return (
    <a
      className="button button--quiet button--icon"
      data-step={rel}
      rel={rel}
      href={to ?? undefined}
      role={to === null ? "link" : undefined}
      aria-disabled={to === null || undefined}
      aria-label={word}
      title={word}
    >
      <Icon glyph={glyph} mirror />
    </a>
  );
}
