import { useEffect, useState } from "react";
import { useTranslation } from "react-i18next";
import { type EntryPath, nameOf, parentOf, ROOT } from "../../../shared/path.ts";
import { displayName } from "../../../shared/entry_names.ts";
import { useApi } from "../../base/core/use_site.ts";
import { useFiles } from "../../base/files/use_files.ts";

/** A link to the nearest folder above a place that is gone; nothing where only the root is left. */
export function ParentLink() {
  const { t } = useTranslation();
  const api = useApi();
  const { listing, navigation } = useFiles();
  const path = listing.path.value;
  const [parent, setParent] = useState<EntryPath>(ROOT);
  useEffect(() => {
    let isOver = false;
    const find = async () => {
      let at = parentOf(path);
      while (at !== ROOT) {
        const answer = await api.exists(at);
        if (!answer.ok || isOver) return;
        if (answer.value) break;
        at = parentOf(at);
      }
      if (!isOver) setParent(at);
    };
    setParent(ROOT);
    void find();
    return () => {
      isOver = true;
    };
  }, [path]);
  if (parent === ROOT) return null;
  return (
    <a className="button button--primary" data-place href={navigation.href(parent)}>
      {t("status.openParent", { name: displayName(nameOf(parent)) })}
    </a>
  );
}
