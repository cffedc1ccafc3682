import { useState } from "react";
import type { Entry } from "../../../shared/api_types.ts";
import { parsePath } from "../../../shared/path.ts";
import { useApi } from "../../base/core/use_site.ts";
import { EntryIcon } from "../listing/thumbs/EntryIcon.tsx";
import { Thumb } from "../listing/thumbs/Thumb.tsx";
import { usePictured } from "../listing/thumbs/thumb_kinds.ts";

/** A picture as a whole, the thumbnail of other entries that have one, otherwise the icon. */
export function EntryPicture({ entry }: { entry: Entry }) {
  const api = useApi();
  const pictured = usePictured(false);
  const [isBroken, setBroken] = useState(false);
  const isPicture = pictured(entry) && entry.type === "image" && !isBroken;
  const at = parsePath(entry.path).path;
  const k = String(Date.parse(entry.modified));
  // Browsers draw an SVG sharp at any size.
  const address = entry.extension === ".svg"
    ? api.addressOf("GET /api/raw/{path}", { params: { path: at }, query: { inline: true, k } })
    : api.addressOf("GET /api/preview/{size}/{path}", {
      params: { size: "big", path: at },
      query: { k },
    });
  return (
    <div className="info__picture">
      {isPicture
        ? <img src={address} alt="" decoding="async" onError={() => setBroken(true)} />
        : pictured(entry)
        ? <Thumb entry={entry} />
        : <EntryIcon entry={entry} />}
    </div>
  );
}
