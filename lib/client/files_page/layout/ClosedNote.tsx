import { Lock } from "lucide";
import { useTranslation } from "react-i18next";
import { Icon } from "../../../../components/Icon.tsx";
import { useRootAccess } from "../../base/core/root_access.ts";
import { useFileActions, useFiles } from "../../base/files/use_files.ts";

/** Says above a listing why nothing can be changed in it, if so. */
export function ClosedNote() {
  const { t } = useTranslation();
  const { listing } = useFiles();
  const { closed } = useFileActions();
  const rootAccess = useRootAccess();
  const resource = listing.resource.value;
  if (!closed || !resource?.isDir || listing.rows.value.total === 0) return null;
  return (
    <p className="closed-note" role="note">
      <Icon glyph={Lock} />
      {rootAccess.reasonAgainst(t, listing.path.value)}
    </p>
  );
}
