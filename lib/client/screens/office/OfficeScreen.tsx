import { useEffect, useMemo, useRef } from "react";
import { useTranslation } from "react-i18next";
import { displayName } from "../../../shared/entry_names.ts";
import {
  childOf,
  type EntryPath,
  nameOf,
  parentOf,
  parsePath,
  ROOT,
} from "../../../shared/path.ts";
import type { Resource } from "../../../shared/schemas/entry.ts";
import { cleanName, nameFault } from "../../base/core/names.ts";
import { usePage } from "../../base/core/page.ts";
import { useApi, usePrompts } from "../../base/core/use_site.ts";
import { officeQuery } from "../../base/files/office_link.ts";
import { useVisitorName } from "../../base/core/visitor_name.ts";
import { useFiles } from "../../base/files/use_files.ts";
import { warnBeforeLeaving } from "../../base/navigation/leave_guard.ts";
import { FileSkeleton } from "../../files_page/listing/Skeletons.tsx";
import { OfficeFailure, OfficeNotice } from "./OfficeFailure.tsx";
import { OfficeHead } from "./OfficeHead.tsx";
import { OfficeSession } from "./office_session.ts";

interface OfficeScreenProps {
  /** The document, as the page was loaded with it. */
  entry: Resource;
}

/** A document in the editor of the office server, below the head of every open file. */
export function OfficeScreen({ entry: first }: OfficeScreenProps) {
  const { t } = useTranslation();
  const { data: { locale } } = usePage();
  const { actions, details } = useFiles();
  const api = useApi();
  const entry = useOpenEntry(first);
  const path = useRef(parsePath(first.path).path);
  path.current = parsePath(entry.path).path;
  const latest = useRef({ close: async () => {}, rename: async (_: string) => {} });
  const session = useMemo(() =>
    new OfficeSession({
      ...{ api, locale },
      path: () => path.current,
      events: {
        onClose: () => void latest.current.close(),
        onShare: () => void actions.share(),
        onVersions: () => details.peek() || void actions.info(),
        onRenamed: (name) => void latest.current.rename(name),
      },
    }), []);
  latest.current = { close: useClose(session, entry), rename: useRename(path.current) };
  const askName = useVisitorName();
  const isLeft = useRef(false);
  const open = () => void askName().then(() => isLeft.current ? undefined : session.open());
  useEffect(() => {
    isLeft.current = false;
    const onBlocked = (event: SecurityPolicyViolationEvent) => session.blocked(event);
    document.addEventListener("securitypolicyviolation", onBlocked);
    open();
    return () => {
      document.removeEventListener("securitypolicyviolation", onBlocked);
      isLeft.current = true;
      session.end();
    };
  }, [session]);
  useUnsaved(session);
  const { close } = latest.current;
  const trouble = session.trouble.value;
  return (
    <section
      className="viewer office"
      aria-label={t("office.label", { name: displayName(entry.name) })}
    >
      <OfficeHead entry={entry} session={session} onClose={() => void close()} />
      <div className="office__stage">
        {trouble
          ? <OfficeFailure entry={entry} trouble={trouble} onRetry={open} />
          : <Editor entry={entry} session={session} onRetry={open} />}
      </div>
    </section>
  );
}

/** The document. One that is renamed or deleted by others meanwhile stays open. */
function useOpenEntry(first: Resource): Resource {
  const { listing } = useFiles();
  const last = useRef(first);
  const shown = listing.resource.value;
  if (listing.status.value === "ready" && shown?.isDir === false) last.current = shown;
  return last.current;
}

/** Leaves for the folder of the document. What is unsaved is saved first. */
function useClose(session: OfficeSession, { name, path }: Resource): () => Promise<void> {
  const { t } = useTranslation();
  const { share } = usePage().data;
  const prompts = usePrompts();
  const { navigation } = useFiles();
  return async () => {
    const bridge = session.bridge.peek();
    const isSaved = !bridge || await bridge.save();
    if (!isSaved) {
      // Two clicks, or a click while it is asked, ask once.
      if (bridge.saving.peek() || prompts.current.peek()) return;
      const isDropped = await prompts.open("confirm", {
        title: t("office.unsavedTitle", { name: displayName(name) }),
        text: t("office.unsavedText"),
        act: t("office.leave"),
      });
      if (!isDropped) return;
    }
    bridge?.leave();
    const at = parsePath(path).path;
    const folder = navigation.href(parentOf(at));
    // The browser's button is not to lead back into the editor.
    location.replace(
      at === ROOT || share ? folder : `${folder}?${new URLSearchParams({ show: nameOf(at) })}`,
    );
  };
}

/** Follows a new name that the editor has given the document. */
function useRename(path: EntryPath): (typed: string) => Promise<void> {
  const { share } = usePage().data;
  const { navigation } = useFiles();
  const api = useApi();
  return async (typed) => {
    const [, extension = ""] = /.(\.[^.]*)$/s.exec(nameOf(path)) ?? [];
    const name = cleanName(typed.endsWith(extension) ? typed : typed + extension);
    if (path === ROOT || nameFault(name) !== null || name === nameOf(path)) return;
    const to = childOf(parentOf(path), name);
    const there = await api.resource(to, { offset: 0, limit: 0 });
    if (!there.ok || there.value.isDir) return;
    navigation.go(to, { folder: false, replace: true });
    if (share) history.replaceState(history.state, "", `${location.pathname}?${officeQuery}`);
  };
}

/** Warns before the page is left with unsaved changes. */
function useUnsaved(session: OfficeSession): void {
  const isUnsaved = session.bridge.value?.modified.value ?? false;
  useEffect(() => {
    if (!isUnsaved) return;
    addEventListener("beforeunload", warnBeforeLeaving);
    return () => removeEventListener("beforeunload", warnBeforeLeaving);
  }, [isUnsaved]);
}

interface EditorProps {
  entry: Resource;
  session: OfficeSession;
  onRetry: () => void;
}

/** The frame with the editor, covered until there is something to see. */
function Editor({ entry, session, onRetry }: EditorProps) {
  const { t } = useTranslation();
  const opened = session.opened.value;
  const frame = useRef<HTMLIFrameElement>(null);
  const stage = session.bridge.value?.stage.value;
  const prompt = usePrompts().current.value;
  useEffect(() => {
    if (frame.current) session.show(frame.current);
  }, [opened]);
  useEffect(() => {
    if (stage === "loaded" && document.activeElement === document.body) frame.current?.focus();
  }, [stage]);
  const isAsked = prompt !== null;
  useEffect(() => {
    if (stage === "loaded") session.bridge.peek()?.hold(isAsked);
  }, [isAsked]);
  const isCovered = session.covered.value;
  return (
    <>
      {session.lapsed.value
        ? <OfficeNotice text={t("office.lapsed")} onRetry={() => void session.renew()} />
        : session.silent.value && <OfficeNotice text={t("office.silent")} onRetry={onRetry} />}
      {opened && (
        <iframe
          key={opened.token}
          ref={frame}
          className="office__frame"
          name="office-editor"
          title={t("office.editor", { name: displayName(entry.name) })}
          sandbox="allow-downloads allow-forms allow-modals allow-popups allow-popups-to-escape-sandbox allow-same-origin allow-scripts"
          allow="clipboard-read; clipboard-write; fullscreen"
          data-covered={isCovered || undefined}
        />
      )}
      {isCovered && <FileSkeleton isText />}
      <p className="unseen" role="status">{isCovered ? "" : t("office.opened")}</p>
    </>
  );
}
