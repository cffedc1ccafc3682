import { ClosedNote } from "./ClosedNote.tsx";
import { FilesView } from "./FilesView.tsx";
import { Toolbar } from "./Toolbar.tsx";
import { DETAILS_KEY, WIDE } from "../../base/files/page_dom.ts";
import { openLocalStorage } from "../../base/core/browser_storage.ts";
import { lazy } from "../../base/core/lazy.ts";
import { type ReactNode, useEffect } from "react";
import { useTranslation } from "react-i18next";
import { useActionMenu } from "../menu/use_action_menu.ts";
import { useApi, useLazy } from "../../base/core/use_site.ts";
import { useFollowedFocus } from "../listing/use_list_keys.ts";
import type { Clock } from "../../../shared/clock.ts";
import { useFileActions, useFiles } from "../../base/files/use_files.ts";
import { usePageKeys } from "./use_page_keys.ts";
import { useShellPanel } from "../../base/core/use_panels.ts";

const listingParts = lazy(() => import("../listing/late_listing.ts"));
const detailsPanel = lazy(() => import("../info/DetailsPanel.tsx"));
const shellPanel = lazy(() => import("../../screens/terminal/ShellPanel.tsx"));

interface FilesAreaProps {
  /** The server's clock, for the first rendering. */
  clock: Clock;
  /** The open file as the server draws it, until its code is loaded. */
  children?: ReactNode;
}

/** The main part of the files page: the breadcrumbs, the folder or file, and the shell. */
export function FilesArea({ clock, children }: FilesAreaProps) {
  useFollowedFocus();
  usePageKeys();
  usePrintedListing();
  return (
    <>
      <Toolbar />
      <ClosedNote />
      <FilesView clock={clock} firstLook={children} />
      <OpenShell />
      <OpenDetails />
      <OpenActionMenu />
    </>
  );
}

/** How long after its start a page can print whole folders, in milliseconds: all else comes first. */
const PRINT_AFTER_MS = 1500;

/** Offers the open folder to be printed with all its entries. */
function usePrintedListing(): void {
  const { t, i18n: { language } } = useTranslation();
  const { listing } = useFiles();
  const api = useApi();
  useEffect(() => {
    setTimeout(async () => {
      const code = await listingParts.load();
      code?.printListing({ api, listing, t, language });
    }, PRINT_AFTER_MS);
  }, []);
}

/** The shell while it is open; hidden where commands are refused. */
function OpenShell() {
  const { allowed, open } = useShellPanel();
  const { shell: mayType } = useFileActions();
  const code = useLazy(shellPanel, open.value);
  if (!allowed || !open.value || !code) return null;
  return <code.ShellPanel isHidden={!mayType} onClose={() => open.value = false} />;
}

/** The details at the side while they are open; they stay so from visit to visit. */
export function OpenDetails() {
  const { details } = useFiles();
  const code = useLazy(detailsPanel, details.value);
  useEffect(() => {
    if (!matchMedia(WIDE).matches) return;
    details.value = openLocalStorage().getItem(DETAILS_KEY) !== null;
  }, [details]);
  if (!details.value || !code) return null;
  return <code.DetailsPanel onClose={() => details.value = false} />;
}

/** The menu of actions while it is open. */
export function OpenActionMenu() {
  const menu = useActionMenu();
  const request = menu.value;
  const code = useLazy(listingParts, request !== null);
  if (!request || !code) return null;
  const close = () => {
    if (menu.peek() === request) menu.value = null;
  };
  return <code.ActionMenu request={request} onClose={close} />;
}
