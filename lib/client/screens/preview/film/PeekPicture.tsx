import { useEffect, useState } from "react";
import { parsePath } from "../../../../shared/path.ts";
import type { Entry } from "../../../../shared/schemas/entry.ts";
import { seekStep } from "../../../../shared/schemas/stream.ts";
import { useApi } from "../../../base/core/use_site.ts";

/** How long the pointer rests before a picture is asked for: a fast one asks for none. */
const RESTS_MS = 120;

interface PeekPictureProps {
  entry: Entry;
  /** The place and the duration, in seconds. */
  at: number;
  of: number;
}

/** The picture of a place in a film; the former one is seen until it is loaded. */
export function PeekPicture({ entry, at, of }: PeekPictureProps) {
  const api = useApi();
  const step = seekStep(of);
  const place = Math.floor(at / step) * step;
  const [asked, setAsked] = useState(place);
  const [isBroken, setBroken] = useState(false);
  useEffect(() => {
    if (place === asked) return;
    const timer = setTimeout(() => setAsked(place), RESTS_MS);
    return () => clearTimeout(timer);
  }, [place]);
  if (isBroken) return null;
  return (
    <img
      className="film__peek-picture"
      src={api.addressOf("GET /api/stream/{part}/{path}", {
        params: { part: "picture", path: parsePath(entry.path).path },
        query: { at: asked, k: `${Date.parse(entry.modified)}-${entry.size}` },
      })}
      alt=""
      data-fresh-disable-lock
      onError={() => setBroken(true)}
    />
  );
}
