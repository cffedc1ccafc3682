import { BookOpenText } from "lucide";
import { useEffect, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { Icon } from "../../../../components/Icon.tsx";
import type { Entry } from "../../../shared/schemas/entry.ts";
import { displayName } from "../../../shared/entry_names.ts";
import { childOf, type EntryPath, parsePath } from "../../../shared/path.ts";
import type { Api } from "../../base/api/api.ts";
import { useApi } from "../../base/core/use_site.ts";
import { README } from "../../files_page/layout/readme_name.ts";
import { useFiles } from "../../base/files/use_files.ts";
import { MarkdownView } from "./MarkdownView.tsx";

/** The longest README that is shown below a folder, in characters. */
const LONGEST = 200_000;

/** How near it has to be to the window before it is read. */
const NEAR = "300px";

/** A README, read. */
interface Read {
  path: EntryPath;
  text: string;
}

interface ReadmeProps {
  folder: EntryPath;
  /** The name of the README; "" when not all rows are loaded, so that it has to be looked for. */
  name: string;
}

/** The README of a folder below its rows. It is read when it comes into view, and when it changes. */
export function Readme({ folder, name }: ReadmeProps) {
  const { t } = useTranslation();
  const { listing, navigation } = useFiles();
  const api = useApi();
  const place = useRef<HTMLElement>(null);
  const [isNear, setNear] = useState(false);
  const [shown, setShown] = useState<Read | null>(null);
  const row = name === "" ? undefined : listing.rows.value.at(listing.rows.value.indexOf(name));

  useEffect(() => {
    const element = place.current;
    if (!element || isNear) return;
    const seen = new IntersectionObserver(
      (entries) => entries.some(({ isIntersecting }) => isIntersecting) && setNear(true),
      { root: element.closest(".listing"), rootMargin: NEAR },
    );
    seen.observe(element);
    return () => seen.disconnect();
  }, [isNear]);
  useEffect(() => {
    if (!isNear) return;
    let isOver = false;
    void readReadme(api, folder, name).then((read) => isOver || setShown(read));
    return () => {
      isOver = true;
    };
  }, [isNear, folder, name, row?.modified, row?.size]);

  if (!shown) return <section className="readme" ref={place} />;
  const title = displayName(shown.path.slice(shown.path.lastIndexOf("/") + 1));
  return (
    <section
      className="readme"
      ref={place}
      aria-label={t("readme.label", { name: title })}
      onPointerDown={(event) => event.stopPropagation()}
      onContextMenu={(event) => event.stopPropagation()}
      onKeyDown={(event) => event.stopPropagation()}
    >
      <h2 className="readme__name">
        <Icon glyph={BookOpenText} />
        <a data-place href={navigation.href(shown.path, false)}>{title}</a>
      </h2>
      {/\.(md|markdown)$/i.test(shown.path)
        ? <MarkdownView text={shown.text} path={shown.path} isPart />
        : <pre className="readme__text" dir="auto">{shown.text}</pre>}
    </section>
  );
}

/** Reads a README; null when there is none, or none that can be shown. */
async function readReadme(api: Api, folder: EntryPath, name: string): Promise<Read | null> {
  const path = name === "" ? await findReadme(api, folder) : childOf(folder, name);
  if (path === null) return null;
  const answer = await api.resource(path, { offset: 0, limit: 1 });
  const text = answer.ok ? answer.value.content : undefined;
  return text === undefined || text.trim() === "" || text.length > LONGEST ? null : { path, text };
}

async function findReadme(api: Api, folder: EntryPath): Promise<EntryPath | null> {
  const answer = await api.resource(folder, { offset: 0, limit: 100, filter: "readme" });
  const isReadme = ({ isDir, name }: Entry) => !isDir && README.test(name);
  const found = answer.ok ? answer.value.items?.find(isReadme) : undefined;
  return found ? parsePath(found.path).path : null;
}
