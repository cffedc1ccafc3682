import { batch, type ReadonlySignal, signal } from "@preact/signals";

/** The scroll distance of a precise wheel that makes one zoom step, in pixels. */
const WHEEL_PX = 40;

const MIDDLE: Point = { x: 0, y: 0 };
const EMPTY: Size = { width: 0, height: 0 };

/**
 * The viewport of the image on screen. Until its size is known it can be neither panned nor zoomed.
 */
export class ImageViewport {
  readonly #viewport = signal(WHOLE);
  readonly #image = signal<FramedImage>({ fitted: EMPTY, frame: EMPTY, natural: 0 });
  readonly #quarters = signal<Quarters>(0);
  #frame = EMPTY;
  #picture = EMPTY;
  #isReduced = false;
  #turned = 0;

  /** The zoom and the position of the image's centre. */
  readonly now: ReadonlySignal<Viewport> = this.#viewport;
  /** The picture and its frame. */
  readonly image: ReadonlySignal<FramedImage> = this.#image;
  /** How far the picture is turned. */
  readonly quarters: ReadonlySignal<Quarters> = this.#quarters;

  /** Whether the picture exceeds the frame. */
  get isCropped(): boolean {
    return isCropped(this.#viewport.peek(), this.#image.peek());
  }

  /** Sets the size of the frame. */
  framed(frame: Size): void {
    this.#frame = frame;
    this.#measure();
  }

  /**
   * Sets the size of the image in its own pixels. A more detailed version of the same image keeps
   * position and size.
   *
   * @param isReduced whether it is a reduced preview
   */
  pictured(picture: Size, isReduced: boolean): void {
    const { zoom } = this.#viewport.peek();
    const before = this.#image.peek().fitted.width * zoom;
    this.#picture = picture;
    this.#isReduced = isReduced;
    this.#measure();
    const { width } = this.#image.peek().fitted;
    if (zoom !== 1 && width > 0 && before > 0) this.#zoom(before / width, MIDDLE);
  }

  /** Turns the picture clockwise (1) or back (-1), and shows it whole. */
  turn(direction: 1 | -1): void {
    batch(() => {
      this.#quarters.value = turnedBy(this.#quarters.peek(), direction);
      this.reset();
      this.#measure();
    });
  }

  /**
   * Resets to an unknown size: the next picture is shown whole.
   *
   * @param quarters how far the next picture is turned
   */
  clear(quarters: Quarters = 0): void {
    this.#picture = EMPTY;
    this.#quarters.value = quarters;
    this.#image.value = { fitted: EMPTY, frame: this.#frame, natural: 0 };
    this.reset();
  }

  /**
   * Whether more detail would be visible at this zoom.
   *
   * @param density device pixels per CSS pixel
   */
  wantsDetail(density: number): boolean {
    const { fitted, natural } = this.#image.value;
    const { zoom } = this.#viewport.value;
    return natural > 0 && (zoom > 1 || fitted.width * zoom * density > natural * 1.25);
  }

  /** Fits it into the frame. */
  reset(): void {
    this.#viewport.value = WHOLE;
  }

  /** Double click: zoom 1, 2, 4, and 1 again. */
  cycle(about: Point): void {
    this.#zoom(cycled(this.#viewport.peek().zoom), about);
  }

  /** Zooms in (1) or out (-1) by one step. */
  step(direction: 1 | -1, about: Point = MIDDLE): void {
    this.#zoom(stepped(this.#viewport.peek().zoom, direction), about);
  }

  /**
   * Zooms by the wheel.
   *
   * @param pixels the distance; negative, away from the user, zooms in
   */
  wheel(pixels: number, about: Point): void {
    this.#turned = Math.sign(pixels) === Math.sign(this.#turned) ? this.#turned + pixels : pixels;
    if (Math.abs(this.#turned) < WHEEL_PX) return;
    this.step(this.#turned < 0 ? 1 : -1, about);
    this.#turned = 0;
  }

  /** Pinch. */
  pinch(ratio: number, about: Point, by: Point): void {
    this.#zoom(this.#viewport.peek().zoom * ratio, about);
    this.pan(by);
  }

  /** Pans. */
  pan(by: Point): void {
    this.#viewport.value = panned(this.#viewport.peek(), by, this.#image.peek());
  }

  #zoom(zoom: number, about: Point): void {
    const image = this.#image.peek();
    if (image.natural === 0) return;
    this.#viewport.value = zoomedTo(this.#viewport.peek(), zoom, about, image);
  }

  #measure(): void {
    const picture = turnedSize(this.#picture, this.#quarters.peek());
    if (picture.width === 0 || picture.height === 0) return;
    const fitted = fit(picture, this.#frame, this.#isReduced);
    this.#image.value = { fitted, frame: this.#frame, natural: picture.width };
    this.pan(MIDDLE);
  }
}

/**
 * Pure functions for zooming and panning an image. Lengths are CSS pixels, points count from the
 * centre of the frame.
 */

/** The size of the frame, or of the picture itself. */
export interface Size {
  width: number;
  height: number;
}

/** A point, relative to the centre of the frame. */
export interface Point {
  x: number;
  y: number;
}

/** The zoom of an image and the position of its centre. */
interface Viewport extends Point {
  /** At 1 it fits the frame, and is not enlarged. */
  zoom: number;
}

/** The step of the wheel and of the keys, also the smallest zoom. */
export const ZOOM_STEP = 0.25;

/** The whole picture, centred. */
export const WHOLE: Viewport = { zoom: 1, x: 0, y: 0 };

/**
 * The size of an image at zoom 1: it fits the frame and is not enlarged.
 *
 * @param isReduced the picture is a reduced preview, which fills the frame
 */
export function fit(picture: Size, frame: Size, isReduced = false): Size {
  const most = isReduced ? Infinity : 1;
  const ratio = Math.min(most, frame.width / picture.width, frame.height / picture.height);
  return { width: picture.width * ratio, height: picture.height * ratio };
}

/** How far a picture is turned clockwise, in quarters of a circle. */
export type Quarters = 0 | 1 | 2 | 3;

/** Turns further, clockwise (1) or back (-1). */
function turnedBy(quarters: Quarters, direction: 1 | -1): Quarters {
  const all: readonly Quarters[] = [0, 1, 2, 3];
  return all[(quarters + direction + all.length) % all.length] ?? 0;
}

/** The size of a box that is turned: on its side, width and height change places. */
export function turnedSize({ width, height }: Size, quarters: Quarters): Size {
  return quarters % 2 === 0 ? { width, height } : { width: height, height: width };
}

/** A picture in a frame. */
export interface FramedImage {
  /** The size at zoom 1, see {@linkcode fit}. */
  fitted: Size;
  frame: Size;
  /** The picture's own width, as it is turned. */
  natural: number;
}

/** The largest zoom: four times the picture's own size. */
export function maxZoom({ fitted, natural }: FramedImage): number {
  return fitted.width > 0 ? natural / fitted.width + 4 : 4;
}

/** The zoom after a double click or a double tap: 1, 2, 4, and 1 again. */
export function cycled(zoom: number): number {
  if (zoom < 1 || zoom >= 4) return 1;
  return zoom < 2 ? 2 : 4;
}

/** The next zoom of the wheel or of a key, in (1) or out (-1). */
export function stepped(zoom: number, direction: 1 | -1): number {
  const steps = zoom / ZOOM_STEP;
  const next = direction > 0 ? Math.floor(steps + 1e-6) + 1 : Math.ceil(steps - 1e-6) - 1;
  return next * ZOOM_STEP;
}

/** Changes the zoom within its bounds; the given point of the picture keeps its position. */
export function zoomedTo(
  viewport: Viewport,
  zoom: number,
  about: Point,
  image: FramedImage,
): Viewport {
  const bounded = Math.min(Math.max(zoom, ZOOM_STEP), Math.max(1, maxZoom(image)));
  const ratio = bounded / viewport.zoom;
  const x = about.x - (about.x - viewport.x) * ratio;
  const y = about.y - (about.y - viewport.y) * ratio;
  return within({ zoom: bounded, x, y }, image);
}

/** Pans the image within its bounds. */
export function panned(viewport: Viewport, by: Point, image: FramedImage): Viewport {
  return within({ ...viewport, x: viewport.x + by.x, y: viewport.y + by.y }, image);
}

/** Whether the picture exceeds the frame, so that it can be panned. */
export function isCropped({ zoom }: Viewport, { fitted, frame }: FramedImage): boolean {
  return fitted.width * zoom > frame.width + 1 || fitted.height * zoom > frame.height + 1;
}

/** A side that fits is centred; a longer one covers the frame. */
function within({ zoom, x, y }: Viewport, { fitted, frame }: FramedImage): Viewport {
  const spareX = Math.max(0, (fitted.width * zoom - frame.width) / 2);
  const spareY = Math.max(0, (fitted.height * zoom - frame.height) / 2);
  return {
    zoom,
    x: Math.min(spareX, Math.max(-spareX, x)),
    y: Math.min(spareY, Math.max(-spareY, y)),
  };
}
