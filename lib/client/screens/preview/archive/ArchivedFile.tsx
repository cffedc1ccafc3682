import { Download, FileQuestion, Lock } from "lucide";
import { useEffect, useState } from "react";
import { useTranslation } from "react-i18next";
import { StatusScreen } from "../../../../../components/StatusScreen.tsx";
import { Icon } from "../../../../../components/Icon.tsx";
import { displayName } from "../../../../shared/entry_names.ts";
import type { EntryPath } from "../../../../shared/path.ts";
import type { ArchiveEntry } from "../../../../shared/schemas/archive.ts";
import { reasonOf } from "../../../base/api/reasons.ts";
import { formatBytes } from "../../../base/core/format.ts";
import { FileSkeleton } from "../../../files_page/listing/Skeletons.tsx";
import { textOf } from "../text_of.ts";
import type { ArchiveApi } from "./archive_api.ts";

/** The largest picture that is shown out of an archive, in bytes. */
const LARGEST_PICTURE = 64 * 2 ** 20;

/** The largest text, in bytes. */
const LARGEST_TEXT = 2 * 2 ** 20;

/** The content that is shown. */
type Shown =
  | { is: "loading" }
  | { is: "text"; text: string }
  | { is: "picture"; address: string }
  | { is: "nothing"; why: string };

interface ArchivedFileProps {
  api: ArchiveApi;
  archive: EntryPath;
  entry: ArchiveEntry;
}

/** A file of an archive: a text, a picture or a PDF; of others the way to save it. */
export function ArchivedFile({ api, archive, entry }: ArchivedFileProps) {
  const { t, i18n: { language } } = useTranslation();
  const [shown, setShown] = useState<Shown>({ is: "loading" });
  const name = displayName(entry.name);
  useEffect(() => {
    const leaving = new AbortController();
    let address: string | null = null;
    const show = async (): Promise<Shown> => {
      const isText = entry.type === "text";
      const most = isText ? LARGEST_TEXT : LARGEST_PICTURE;
      if (!isText && entry.type !== "image") return { is: "nothing", why: t("preview.none") };
      if (entry.size > most) {
        const why = t("archive.tooLarge", { size: formatBytes(most, language) });
        return { is: "nothing", why };
      }
      const answer = await api.content(archive, entry.path, leaving.signal);
      if (!answer.ok) return { is: "nothing", why: reasonOf(t, answer) };
      if (isText) return { is: "text", text: textOf(await answer.value.bytes()) };
      address = URL.createObjectURL(await answer.value.blob());
      return { is: "picture", address };
    };
    show().catch((): Shown => ({ is: "nothing", why: t("errors.broken_archive") })).then((made) => {
      if (!leaving.signal.aborted) setShown(made);
    });
    return () => {
      leaving.abort();
      if (address !== null) URL.revokeObjectURL(address);
    };
  }, [entry]);

  if (entry.type === "pdf") {
    const address = api.address(archive, entry.path, { inline: true });
    return <iframe className="viewer__paper" src={address} title={name} />;
  }
  switch (shown.is) {
    case "loading":
      return <FileSkeleton isText />;
    case "text":
      return (
        <div
          className="viewer__lines"
          role="region"
          tabIndex={0}
          aria-label={name}
          dir="auto"
        >
          <pre>{shown.text}</pre>
        </div>
      );
    case "picture":
      return (
        <img
          className="archive__picture"
          src={shown.address}
          alt={name}
          onError={() => setShown({ is: "nothing", why: t("preview.unknownText") })}
        />
      );
    case "nothing":
      return (
        <StatusScreen
          glyph={entry.encrypted ? Lock : FileQuestion}
          title={name}
          text={shown.why}
        >
          <a
            className="button button--primary"
            href={api.address(archive, entry.path)}
            download
          >
            <Icon glyph={Download} />
            {t("buttons.download")}
          </a>
        </StatusScreen>
      );
  }
}
