import { ChevronRight, House } from "lucide";
import { useTranslation } from "react-i18next";
import { displayName } from "../../../shared/entry_names.ts";
import { Icon } from "../../../../components/Icon.tsx";

/** One breadcrumb. */
export interface Crumb {
  name: string;
  href: string;
}

/** The number of trailing breadcrumbs shown; earlier ones collapse into one "…". */
const DEPTH = 3;

interface CrumbsProps {
  /** The href of the root folder. */
  home: string;
  /** The breadcrumbs below the root; the last one is the page itself. */
  crumbs: Crumb[];
  /** The name of the root; "My files" by default. */
  top?: string;
}

/** Breadcrumbs from the root to the open folder or file; none at the root. */
export function Crumbs({ home, crumbs, top }: CrumbsProps) {
  const { t } = useTranslation();
  // The page's heading says as much.
  if (crumbs.length === 0) return null;
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
