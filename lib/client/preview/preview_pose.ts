import { type ReadonlySignal, signal } from "@preact/signals";
import {
  cycled,
  fit,
  isCropped,
  panned,
  type Point,
  type Pose,
  type Scene,
  type Size,
  stepped,
  WHOLE,
  zoomedTo,
} from "./preview_zoom.ts";

/** A wheel that turns on and on in small bits makes one step of so many pixels. */
const WHEEL_PX = 40;

const MIDDLE: Point = { x: 0, y: 0 };
const EMPTY: Size = { width: 0, height: 0 };

/** How the picture on screen is looked at. Until its size is known it can be neither moved nor zoomed. */
export class PictureLook {
  readonly #pose = signal(WHOLE);
  readonly #scene = signal<Scene>({ fitted: EMPTY, frame: EMPTY, natural: 0 });
  #frame = EMPTY;
  #picture = EMPTY;
  #isReduced = false;
  #turned = 0;

  /** How large it is, and where its middle lies. */
  get pose(): ReadonlySignal<Pose> {
    return this.#pose;
  }

  /** The picture in its frame. */
  get scene(): ReadonlySignal<Scene> {
    return this.#scene;
  }

  /** Whether there is more of it than the frame shows. */
  get isCropped(): boolean {
    return isCropped(this.#pose.peek(), this.#scene.peek());
  }

  /** Tells how large the frame is. */
  framed(frame: Size): void {
    this.#frame = frame;
    this.#measure();
  }

  /**
   * Tells how large the picture is, in its own pixels. When it is the same one in more detail, it
   * stays where it is, and as large.
   *
   * @param isReduced it is a smaller one of the real one
   */
  pictured(picture: Size, isReduced: boolean): void {
    const { zoom } = this.#pose.peek();
    const before = this.#scene.peek().fitted.width * zoom;
    this.#picture = picture;
    this.#isReduced = isReduced;
    this.#measure();
    const { width } = this.#scene.peek().fitted;
    if (zoom !== 1 && width > 0 && before > 0) this.#zoom(before / width, MIDDLE);
  }

  /** Nothing is known of the picture that comes next; it is to be shown whole. */
  clear(): void {
    this.#picture = EMPTY;
    this.#scene.value = { fitted: EMPTY, frame: this.#frame, natural: 0 };
    this.reset();
  }

  /**
   * Whether it is shown so large that more detail would be seen.
   *
   * @param density the screen's pixels for one of CSS
   */
  wantsDetail(density: number): boolean {
    const { fitted, natural } = this.#scene.value;
    const { zoom } = this.#pose.value;
    return natural > 0 && (zoom > 1 || fitted.width * zoom * density > natural * 1.25);
  }

  /** Shows all of it. */
  reset(): void {
    this.#pose.value = WHOLE;
  }

  /** A double click: 1, 2, 4, and 1 again. */
  cycle(about: Point): void {
    this.#zoom(cycled(this.#pose.peek().zoom), about);
  }

  /** One step closer (1), or away (-1). */
  step(direction: 1 | -1, about: Point = MIDDLE): void {
    this.#zoom(stepped(this.#pose.peek().zoom, direction), about);
  }

  /**
   * The wheel turns.
   *
   * @param pixels how far; away from the user, less than 0, is closer
   */
  wheel(pixels: number, about: Point): void {
    this.#turned = Math.sign(pixels) === Math.sign(this.#turned) ? this.#turned + pixels : pixels;
    if (Math.abs(this.#turned) < WHEEL_PX) return;
    this.step(this.#turned < 0 ? 1 : -1, about);
    this.#turned = 0;
  }

  /** Two fingers. */
  pinch(ratio: number, about: Point, by: Point): void {
    this.#zoom(this.#pose.peek().zoom * ratio, about);
    this.pan(by);
  }

  /** Moves it. */
  pan(by: Point): void {
    this.#pose.value = panned(this.#pose.peek(), by, this.#scene.peek());
  }

  #zoom(zoom: number, about: Point): void {
    const scene = this.#scene.peek();
    if (scene.natural === 0) return;
    this.#pose.value = zoomedTo(this.#pose.peek(), zoom, about, scene);
  }

  #measure(): void {
    const { width, height } = this.#picture;
    if (width === 0 || height === 0) return;
    const fitted = fit(this.#picture, this.#frame, this.#isReduced);
    this.#scene.value = { fitted, frame: this.#frame, natural: width };
    this.pan(MIDDLE);
  }
}
