import { usePage } from "../lib/client/core/page.ts";

/**
 * The mark of the site: its own, or Cubby's, a set of pigeonholes, one of them taken. Decorative
 * beside the name.
 */
export function Logo() {
  const own = usePage().data.config.Logo;
  if (own) return <img className="logo" src={own} alt="" width="32" height="32" />;
  return (
    <svg className="logo" viewBox="0 0 32 32" width="32" height="32" aria-hidden="true">
      <rect className="logo__case" width="32" height="32" rx="9" />
      <rect className="logo__hole" x="7" y="7" width="8" height="18" rx="2.5" />
      <rect className="logo__hole" x="17.5" y="7" width="7.5" height="7.75" rx="2.5" />
      <rect className="logo__taken" x="17.5" y="17.25" width="7.5" height="7.75" rx="2.5" />
    </svg>
  );
}
