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
  /** The last one is the heading of the page. */
  isTitle?: boolean;
}

/**
 * Breadcrumbs from the root to the open folder or file. On phones the style sheet leaves the page
 * itself, and an arrow to the folder above it.
 */
export function Crumbs({ home, crumbs, top, isTitle = false }: CrumbsProps) {
  const { t } = useTranslation();
  const root = top ?? t("files.myFiles");
  const hidden = crumbs.length > DEPTH ? crumbs[crumbs.length - DEPTH - 1] : undefined;
  const shown = crumbs.slice(-DEPTH);
  const link = ({ name, href }: Crumb, isPage: boolean) => {
    const content = (
      <a
        className="crumbs__link"
        data-place
        href={href}
        title={isPage ? name : undefined}
        aria-current={isPage ? "page" : "false"}
      >
        <span className="crumbs__name" dir="auto">{name}</span>
      </a>
    );
    return isPage && isTitle ? <h1 className="crumbs__title">{content}</h1> : content;
  };
  if (crumbs.length === 0) {
    return (
      <nav className="crumbs" aria-label={t("files.breadcrumbs")}>
        {link({ name: root, href: home }, true)}
      </nav>
    );
  }
  return (
    <nav className="crumbs" aria-label={t("files.breadcrumbs")}>
      <ol className="crumbs__list">
        <li className="crumbs__item crumbs__item--fixed">
          <a
            className="crumbs__link"
            data-place
            href={home}
            aria-label={root}
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
            {link({ ...crumb, name: displayName(crumb.name) }, index === shown.length - 1)}
          </li>
        ))}
      </ol>
    </nav>
  );
}
