import { batch, type ReadonlySignal, signal } from "@preact/signals";
import {
  cycled,
  fit,
  type FramedImage,
  isCropped,
  panned,
  type Point,
  type Quarters,
  type Size,
  stepped,
  turnedBy,
  turnedSize,
  type Viewport,
  WHOLE,
  zoomedTo,
} from "./preview_zoom.ts";

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
