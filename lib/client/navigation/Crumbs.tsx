import { ChevronRight, House } from "lucide";
import { displayName } from "../../shared/entry_names.ts";
import { useTranslation } from "../core/use_translation.ts";
import { Icon } from "../../../components/Icon.tsx";

/** One step of the way down to where one is. */
export interface Crumb {
  name: string;
  href: string;
}

/** How many of the last steps are shown; the ones before them hide behind one "…". */
const DEPTH = 3;

interface CrumbsProps {
  /** Where the house leads: the top. */
  home: string;
  /** The steps below the top, the last one being the page itself. */
  crumbs: Crumb[];
  /** What the top is called; the user's files unless said. */
  top?: string;
}

/** The way from the top to the folder or file on the screen. */
export function Crumbs({ home, crumbs, top }: CrumbsProps) {
  const { t } = useTranslation();
  const hidden = crumbs.length > DEPTH ? crumbs[crumbs.length - DEPTH - 1] : undefined;
  const shown = crumbs.slice(-DEPTH);
  return (
    <nav className="crumbs" aria-label={t("files.breadcrumbs")}>
      <ol className="crumbs__list">
        <li className="crumbs__item crumbs__item--fixed">
          <a
            className="crumbs__link"
            data-place
            href={home}
            aria-label={top ?? t("files.myFiles")}
            aria-current={crumbs.length === 0 ? "page" : "false"}
          >
            <Icon glyph={House} />
          </a>
        </li>
        {hidden && (
          <li className="crumbs__item crumbs__item--fixed">
            <Icon glyph={ChevronRight} mirror />
            <a
              className="crumbs__link"
              data-place
              href={hidden.href}
              aria-label={displayName(hidden.name)}
            >
              …
            </a>
          </li>
        )}
        {shown.map((crumb, index) => (
          <li className="crumbs__item" key={crumb.href}>
            <Icon glyph={ChevronRight} mirror />
            <a
              className="crumbs__link"
              data-place
              href={crumb.href}
              aria-current={index === shown.length - 1 ? "page" : "false"}
            >
              <span className="crumbs__name" dir="auto">{displayName(crumb.name)}</span>
            </a>
          </li>
        ))}
      </ol>
    </nav>
  );
}
