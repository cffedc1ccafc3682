import { useTranslation } from "react-i18next";
import type { Clock } from "../../../shared/clock.ts";
import { isMarkdownName, isTableName } from "../../../shared/file_kinds.ts";
import { parsePath } from "../../../shared/path.ts";
import type { Resource } from "../../../shared/schemas/entry.ts";
import { withMarks } from "../../base/core/marks.ts";
import { usePage } from "../../base/core/page.ts";
import { useApi, useMay } from "../../base/core/use_site.ts";
import { useFiles } from "../../base/files/use_files.ts";
import { FilePage } from "../../files_page/layout/FilePage.tsx";
import { FileSkeleton } from "../../files_page/listing/Skeletons.tsx";
import { hasReader, isEmpty, NoPreview } from "./Content.tsx";
import { FileHead, isOnStage } from "./FileFrame.tsx";
import { firstMarkdown } from "./first_markdown.ts";
import { inlineAddress, pictureAddresses } from "./preview_source.ts";
import { parseRows, tableOf } from "./table/parse_table.ts";
import { TableView } from "./table/TableView.tsx";

/** Rows and lines of a first look: more than a large screen has. */
const ROWS = 60;

interface FirstLookProps {
  entry: Resource;
  /** The beginning of a text; null for other files, and where it is not to be had at once. */
  text: string | null;
  /** The server's clock. */
  clock: Clock;
}

/**
 * A file as the server draws it, until the code that shows it is there: its head, and a text, a
 * picture, or the outline of what comes. Only the page's route imports it: browsers get its markup,
 * and no code of it.
 */
export function FirstLook({ entry, text, clock }: FirstLookProps) {
  const mayRead = useMay()("download") && entry.type !== "invalid_link";
  const isText = entry.type === "text" || entry.type === "textImmutable";
  const isKnown = isText || (!isEmpty(entry) && (isOnStage(entry) || hasReader(entry)));
  return (
    <section
      className="viewer first-look"
      data-drawing={entry.path}
      data-stage={isOnStage(entry) || undefined}
    >
      <FileHead entry={entry} />
      {!mayRead || !isKnown
        ? (
          <div className="viewer__stage">
            <div className="viewer__content">
              <NoPreview entry={entry} source={null} clock={clock} isReadable={mayRead} />
            </div>
          </div>
        )
        : text !== null && text.trim() !== ""
        ? <FirstText entry={entry} text={text} />
        : <Outline entry={entry} clock={clock} />}
    </section>
  );
}

/** The shape of a file; without scripts the way to have it. */
function Outline({ entry, clock }: Omit<FirstLookProps, "text">) {
  const api = useApi();
  const { config } = usePage().data;
  const [picture] = entry.type === "image" ? pictureAddresses(entry, api, config) : [];
  return (
    <div className="viewer__stage">
      <div className="viewer__content">
        {picture
          ? (
            <img
              className="first-look__picture"
              src={picture}
              alt=""
              data-fresh-disable-lock
            />
          )
          : !isOnStage(entry) && <FileSkeleton isText />}
        <noscript>
          <FilePage entry={entry} clock={clock} />
        </noscript>
      </div>
    </div>
  );
}

function FirstText({ entry, text }: { entry: Resource; text: string }) {
  const { t } = useTranslation();
  const { navigation } = useFiles();
  const api = useApi();
  if (isTableName(entry.name)) {
    const table = tableOf(parseRows(withMarks(text), true).rows);
    const isCut = table.rows.length > ROWS;
    return (
      <div className="editor">
        <div className="editor__page">
          <TableView
            table={{ ...table, rows: table.rows.slice(0, ROWS) }}
            label={t("table.label", { name: entry.name })}
            path={parsePath(entry.path).path}
            onMore={isCut ? () => {} : undefined}
          />
        </div>
        <div className="editor__status" />
      </div>
    );
  }
  const html = isMarkdownName(entry.name)
    ? firstMarkdown(text, {
      document: parsePath(entry.path).path,
      pageOf: (at, folder) => navigation.href(at, folder),
      contentOf: (at) => inlineAddress(api, at),
    })
    : null;
  if (html === null) {
    return (
      <div className="editor">
        <div className="editor__tools" />
        <pre className="editor__code first-look__code" tabIndex={0} dir="auto">
          {withMarks(text)}
        </pre>
        <div className="editor__status" />
      </div>
    );
  }
  return (
    <div className="editor">
      <div className="editor__page">
        <div className="markdown" role="document" tabIndex={0} aria-label={t("preview.rendered")}>
          <div
            className="markdown__text"
            dir="auto"
            // deno-lint-ignore react-no-danger -- firstMarkdown escapes all that it does not make
            dangerouslySetInnerHTML={{ __html: html }}
          />
        </div>
      </div>
      <div className="editor__status" />
    </div>
  );
}
