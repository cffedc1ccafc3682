import { usePage } from "../core/page.ts";
import { useTranslation } from "../core/use_translation.ts";

/** The ways from a share into the site: to the own files, or to sign in or up. */
export function VisitorLinks() {
  const { t } = useTranslation();
  const { config, user } = usePage().data;
  const { BaseURL, LoginPage, Signup } = config;
  const links = user ? [[`${BaseURL}/files/`, t("files.myFiles")]] : LoginPage
    ? [
      [`${BaseURL}/login`, t("login.submit")],
      ...Signup ? [[`${BaseURL}/login?signup`, t("login.signUp")]] : [],
    ]
    : [];
  if (links.length === 0) return null;
  return (
    <nav className="shared__ways" aria-label={t("sidebar.label")}>
      {links.map(([href, word]) => (
        <a key={href} className="button button--quiet" href={href}>{word}</a>
      ))}
    </nav>
  );
}
