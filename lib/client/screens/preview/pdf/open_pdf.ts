import { batch, type ReadonlySignal, signal } from "@preact/signals";
// Mozilla's reader, for browsers that have none of their own, such as those of Android.
import {
  AnnotationMode,
  getDocument,
  GlobalWorkerOptions,
  PasswordResponses,
  type PDFDocumentProxy,
} from "pdfjs-dist";
import {
  EventBus,
  LinkTarget,
  PDFFindController,
  PDFLinkService,
  PDFViewer,
} from "pdfjs-dist/viewer";

/** The files that the library loads by itself lie beside the scripts (`scriptAssets` in dev.ts). */
const assetAt = (path: string) => new URL(`./pdf/${path}`, import.meta.url).href;

/** The bytes of a request for a part of a file. */
const PART_BYTES = 256 * 1024;

/** The largest canvas of a page, in pixels: of 10 pages some 320 MB. What is larger is drawn in parts. */
const MOST_PIXELS = 8 * 2 ** 20;

/** The largest picture that is decoded, in pixels. */
const MOST_PICTURE_PIXELS = 100_000_000;

/** Zoom steps and their bounds, as factors. */
const STEP = 1.2;
const BOUNDS = { min: 0.1, max: 8 };

/** Printed pages: how many, and how fine, in dots for a point (1/72 inch). */
const MOST_PRINTED = 200;
const PRINT_SCALE = 150 / 72;

/** `locked`: a password is needed; `wrong`: another one. */
export type PdfState = "loading" | "locked" | "wrong" | "shown" | "failed";

/** The matches of a search: the number of the current one, from 1; null while nothing is searched. */
export type PdfMatches = { current: number; total: number } | null;

/** A PDF that is open in an element: the library draws the pages that are in view, and forgets others. */
export class OpenPdf {
  readonly #bus = new EventBus();
  readonly #viewer: PDFViewer;
  readonly #task;
  readonly #leaving = new AbortController();
  readonly #state = signal<PdfState>("loading");
  readonly #page = signal(1);
  readonly #pages = signal(0);
  readonly #scale = signal(1);
  readonly #matches = signal<PdfMatches>(null);
  #document: PDFDocumentProxy | null = null;
  #unlock: ((password: string) => void) | null = null;
  #query = "";
  #printed: string[] = [];

  readonly state: ReadonlySignal<PdfState> = this.#state;
  /** The page in view, from 1. */
  readonly page: ReadonlySignal<number> = this.#page;
  /** How many there are. */
  readonly pages: ReadonlySignal<number> = this.#pages;
  /** The zoom, as a factor. */
  readonly scale: ReadonlySignal<number> = this.#scale;
  readonly matches: ReadonlySignal<PdfMatches> = this.#matches;

  /**
   * @param container an element that scrolls, positioned absolutely, with one element in it
   * @param pageLabel names a page, for screen readers
   */
  constructor(
    container: HTMLDivElement,
    { address, isWhole, pageLabel }: {
      address: string;
      /** The address is good for one request: for the whole file. */
      isWhole: boolean;
      pageLabel: (page: number) => string;
    },
  ) {
    GlobalWorkerOptions.workerSrc = assetAt("pdf.worker.mjs");
    const { signal: abortSignal } = this.#leaving;
    const eventBus = this.#bus;
    const linkService = new PDFLinkService({
      eventBus,
      externalLinkTarget: LinkTarget.BLANK,
      externalLinkRel: "noopener noreferrer nofollow",
    });
    const findController = new PDFFindController({ eventBus, linkService });
    this.#viewer = new PDFViewer({
      container,
      viewer: container.firstElementChild as HTMLDivElement,
      ...{ eventBus, linkService, findController, abortSignal },
      // Links, and forms as they are filled in; no fields of ours, and no scripts.
      annotationMode: AnnotationMode.ENABLE,
      maxCanvasPixels: MOST_PIXELS,
      l10n: labelsOf(pageLabel),
    });
    linkService.setViewer(this.#viewer);
    const { signal: until } = this.#leaving;
    const on = (name: string, listener: (event: never) => void) =>
      eventBus.on(name, listener, { signal: until });
    on("pagesinit", () => this.#viewer.currentScaleValue = "auto");
    on("pagechanging", ({ pageNumber }: { pageNumber: number }) => this.#page.value = pageNumber);
    on("scalechanging", ({ scale }: { scale: number }) => this.#scale.value = scale);
    const onMatches = ({ matchesCount }: { matchesCount: { current: number; total: number } }) =>
      this.#matches.value = this.#query === "" ? null : { ...matchesCount };
    on("updatefindmatchescount", onMatches);
    on("updatefindcontrolstate", onMatches);
    const observer = new ResizeObserver(() => this.#refit());
    observer.observe(container);
    until.addEventListener("abort", () => observer.disconnect());

    this.#task = getDocument({
      url: address,
      rangeChunkSize: PART_BYTES,
      // Only the parts that are looked at are read.
      ...{ disableStream: !isWhole, disableAutoFetch: !isWhole, disableRange: isWhole },
      cMapUrl: assetAt("cmaps/"),
      cMapPacked: true,
      standardFontDataUrl: assetAt("fonts/"),
      wasmUrl: assetAt("codecs/"),
      // WebAssembly would need a right in the policy for scripts.
      ...{ useWasm: false, useWorkerFetch: false, enableXfa: false },
      maxImageSize: MOST_PICTURE_PIXELS,
    });
    this.#task.onPassword = (update: (password: string) => void, reason: number) => {
      this.#unlock = update;
      const isWrong = reason === PasswordResponses.INCORRECT_PASSWORD;
      this.#state.value = isWrong ? "wrong" : "locked";
    };
    void this.#task.promise.then(
      (document) => {
        if (until.aborted) return;
        this.#document = document;
        this.#viewer.setDocument(document);
        linkService.setDocument(document);
        batch(() => {
          this.#pages.value = document.numPages;
          this.#state.value = "shown";
        });
      },
      () => until.aborted || (this.#state.value = "failed"),
    );
  }

  /** Tries a password. */
  unlock(password: string): void {
    this.#state.value = "loading";
    this.#unlock?.(password);
  }

  /** @param page from 1; the nearest there is */
  goTo(page: number): void {
    if (!Number.isFinite(page)) return;
    this.#viewer.currentPageNumber = Math.min(Math.max(Math.round(page), 1), this.#pages.peek());
  }

  /** Zooms in (1), out (-1), or to the width of the window (0). */
  zoom(direction: 1 | -1 | 0): void {
    if (direction === 0) return void (this.#viewer.currentScaleValue = "page-width");
    const scale = this.#scale.peek() * STEP ** direction;
    this.#viewer.currentScale = Math.min(Math.max(scale, BOUNDS.min), BOUNDS.max);
  }

  /** Searches for a text; again for the next match (1), or for the one before (-1). */
  find(query: string, direction: 1 | -1 = 1): void {
    const isAgain = query === this.#query;
    this.#query = query;
    if (query === "") this.#matches.value = null;
    this.#bus.dispatch(query === "" ? "findbarclose" : "find", {
      source: this,
      type: isAgain ? "again" : "",
      query,
      caseSensitive: false,
      entireWord: false,
      highlightAll: true,
      findPrevious: direction === -1,
      matchDiacritics: false,
    });
  }

  /** Draws the pages for paper, one after the other. */
  async drawForPrint(): Promise<void> {
    const pages = Math.min(this.#pages.peek(), MOST_PRINTED);
    for (let number = this.#printed.length + 1; number <= pages; number++) {
      const page = await this.#document?.getPage(number);
      if (!page || this.#leaving.signal.aborted) return;
      const { width, height } = page.getViewport({ scale: PRINT_SCALE });
      const scale = PRINT_SCALE * Math.min(1, Math.sqrt(MOST_PIXELS / (width * height)));
      const viewport = page.getViewport({ scale });
      const canvas = document.createElement("canvas");
      canvas.width = Math.ceil(viewport.width);
      canvas.height = Math.ceil(viewport.height);
      await page.render({ canvas, viewport, intent: "print" }).promise;
      const blob = await new Promise<Blob | null>((done) => canvas.toBlob(done, "image/png"));
      canvas.width = canvas.height = 0;
      if (blob) this.#printed.push(URL.createObjectURL(blob));
    }
  }

  /** The pages that are drawn for paper. */
  get printed(): readonly string[] {
    return this.#printed;
  }

  /** Ends its Worker, and forgets all. */
  close(): void {
    this.#leaving.abort();
    for (const address of this.#printed) URL.revokeObjectURL(address);
    this.#printed = [];
    void this.#task.destroy().catch(() => {});
  }

  /** Follows the size of the window, unless a zoom was chosen. */
  #refit(): void {
    const { currentScaleValue: chosen } = this.#viewer;
    if (Number.isNaN(Number(chosen))) this.#viewer.currentScaleValue = chosen;
  }
}

/** The texts of the library: it names pages alone. */
function labelsOf(pageLabel: (page: number) => string) {
  const label = (element: Element) => {
    for (const one of [element, ...element.querySelectorAll("[data-l10n-id]")]) {
      if (one.getAttribute("data-l10n-id") !== "pdfjs-page-landmark") continue;
      const { page } = JSON.parse(one.getAttribute("data-l10n-args") ?? "{}");
      one.setAttribute("aria-label", pageLabel(Number(page)));
    }
  };
  const nothing = () => {};
  return {
    getLanguage: () => document.documentElement.lang,
    getDirection: () => document.dir,
    get: () => Promise.resolve(""),
    translate: (element: Element) => Promise.resolve(label(element)),
    translateOnce: (element: Element) => Promise.resolve(label(element)),
    destroy: () => Promise.resolve(),
    ...{ pause: nothing, resume: nothing },
    // deno-lint-ignore no-explicit-any -- the library's class has private members
  } as any;
}
