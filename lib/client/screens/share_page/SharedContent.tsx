import { ExternalLink, EyeOff, FileX } from "lucide";
import type { ComponentProps } from "react";
import { useTranslation } from "react-i18next";
import type { SharePageData } from "../../../shared/page_data.ts";
import { usePage } from "../../base/core/page.ts";
import { withMarks } from "../../base/core/marks.ts";
import { Icon } from "../../../../components/Icon.tsx";
import { StatusScreen } from "../../../../components/StatusScreen.tsx";
import { pictureOf, previewOf, type ShareLinks, thumbOf } from "./share_links.ts";
import { SharedPicture } from "./SharedList.tsx";

interface SharedContentProps {
  shown: SharePageData;
  links: ShareLinks;
}

/** A file, embedded where a browser can show it. */
export function SharedContent({ shown, links }: SharedContentProps) {
  const { t } = useTranslation();
  const { config } = usePage().data;
  const entry = shown.resource;
  const { name, path, type, content, size } = entry;
  const source = links.download(path, { inline: true });
  const isText = content !== undefined;
  if (shown.isLimited && type !== "image" && !isText) {
    return <Nothing glyph={EyeOff} title={t("share.noPreview")} text={t("share.limited")} />;
  }
  if (size === 0) return <Nothing glyph={FileX} title={t("share.empty")} />;
  switch (type) {
    case "image":
      return (
        <img
          className="shared__media"
          src={shown.isLimited ? previewOf(entry, links) : pictureOf(entry, links, config)}
          data-whole={shown.isLimited ? undefined : source}
          alt={name}
          data-fresh-disable-lock
        />
      );
    case "audio":
      return (
        <div className="shared__sound">
          <SharedPicture entry={entry} shown={shown} links={links} />
          <audio
            className="shared__audio"
            src={source}
            controls
            controlsList={shown.viewOnly ? "nodownload" : undefined}
            preload="metadata"
            aria-label={name}
          />
        </div>
      );
    case "video":
      return (
        <video
          className="shared__media shared__film"
          src={source}
          poster={thumbOf(entry, links, config) ? previewOf(entry, links) : undefined}
          controls
          controlsList={shown.viewOnly ? "nodownload" : undefined}
          playsInline
          preload="metadata"
          aria-label={name}
        />
      );
    case "pdf":
      return (
        <div className="shared__paper" data-paper={source} data-title={name}>
          <Nothing glyph={EyeOff} title={t("share.noPreview")}>
            <a className="button" href={source} target="_blank" rel="noopener">
              <Icon glyph={ExternalLink} />
              {t("preview.open")}
            </a>
          </Nothing>
        </div>
      );
    case "text":
    case "textImmutable":
      if (content === undefined) return <Nothing glyph={EyeOff} title={t("share.noPreview")} />;
      return <pre className="shared__text" tabIndex={0} dir="auto">{withMarks(content)}</pre>;
    default:
      return <Nothing glyph={EyeOff} title={t("share.noPreview")} />;
  }
}

type NothingProps = Pick<
  ComponentProps<typeof StatusScreen>,
  "glyph" | "title" | "text" | "children"
>;

/** A placeholder for content without a preview. */
function Nothing(props: NothingProps) {
  return (
    <div>
      <StatusScreen {...props} />
    </div>
  );
}
