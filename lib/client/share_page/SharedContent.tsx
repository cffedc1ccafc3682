import { EyeOff, FileX } from "lucide";
import type { ComponentProps } from "react";
import type { Resource } from "../../shared/api_types.ts";
import { useTranslation } from "../core/use_translation.ts";
import { StatusScreen } from "../../../components/StatusScreen.tsx";
import type { ShareLinks } from "./ArchiveForm.tsx";

interface SharedContentProps {
  entry: Resource;
  links: ShareLinks;
}

/** A file, embedded where a browser can show it. */
export function SharedContent({ entry, links }: SharedContentProps) {
  const { t } = useTranslation();
  const { name, path, type, content, size } = entry;
  const source = links.download(path, { inline: true });
  switch (type) {
    case "image":
      return <img className="shared__media" src={source} alt={name} data-fresh-disable-lock />;
    case "audio":
      return <audio className="shared__audio" src={source} controls preload="metadata" />;
    case "video":
      return (
        <video
          className="shared__media shared__film"
          src={source}
          controls
          playsInline
          preload="metadata"
        />
      );
    case "text":
    case "textImmutable":
      if (size === 0) return <Nothing glyph={FileX} title={t("share.empty")} />;
      if (content === undefined) return <Nothing glyph={EyeOff} title={t("share.noPreview")} />;
      return <pre className="shared__text" tabIndex={0} dir="auto">{content}</pre>;
    default:
      return <Nothing glyph={EyeOff} title={t("share.noPreview")} />;
  }
}

/** A placeholder for content without a preview. */
function Nothing(words: Pick<ComponentProps<typeof StatusScreen>, "glyph" | "title">) {
  return (
    <div className="shared__none">
      <StatusScreen {...words} />
    </div>
  );
}
