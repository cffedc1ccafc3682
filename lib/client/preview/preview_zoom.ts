/** The pure maths of looking at a picture closely. Lengths are CSS pixels, points count from the middle of the frame. */

/** The size of the frame, or of the picture itself. */
export interface Size {
  width: number;
  height: number;
}

/** A point, counted from the middle of the frame. */
export interface Point {
  x: number;
  y: number;
}

/** How a picture is looked at: how large, and where its middle lies. */
export interface Pose extends Point {
  /** 1 is as large as fits the frame, and no larger than the picture itself. */
  zoom: number;
}

/** The steps of the wheel and of the keys, which is also the smallest zoom. */
export const ZOOM_STEP = 0.25;

/** The whole picture in the middle of the frame. */
export const WHOLE: Pose = { zoom: 1, x: 0, y: 0 };

/**
 * How large a picture is at zoom 1: it fits the frame and is not blown up.
 *
 * @param isReduced the picture is a smaller one of the real one, which fills the frame
 */
export function fit(picture: Size, frame: Size, isReduced = false): Size {
  const most = isReduced ? Infinity : 1;
  const ratio = Math.min(most, frame.width / picture.width, frame.height / picture.height);
  return { width: picture.width * ratio, height: picture.height * ratio };
}

/** A picture in a frame. */
export interface Scene {
  /** What the picture has at zoom 1, see {@linkcode fit}. */
  fitted: Size;
  frame: Size;
  /** The picture's own width. */
  natural: number;
}

/** The largest zoom: four times more than it takes to see every pixel. */
export function maxZoom({ fitted, natural }: Scene): number {
  return fitted.width > 0 ? natural / fitted.width + 4 : 4;
}

/** What a double click or a double tap makes of a zoom: 1, 2, 4, and 1 again. */
export function cycled(zoom: number): number {
  if (zoom < 1 || zoom >= 4) return 1;
  return zoom < 2 ? 2 : 4;
}

/** The next step of the wheel or of a key, away from (1) or towards (-1) the whole. */
export function stepped(zoom: number, direction: 1 | -1): number {
  const steps = zoom / ZOOM_STEP;
  const next = direction > 0 ? Math.floor(steps + 1e-6) + 1 : Math.ceil(steps - 1e-6) - 1;
  return next * ZOOM_STEP;
}

/** Changes the zoom within its bounds, so that what lies under a point stays there. */
export function zoomedTo(pose: Pose, zoom: number, about: Point, scene: Scene): Pose {
  const bounded = Math.min(Math.max(zoom, ZOOM_STEP), Math.max(1, maxZoom(scene)));
  const ratio = bounded / pose.zoom;
  const x = about.x - (about.x - pose.x) * ratio;
  const y = about.y - (about.y - pose.y) * ratio;
  return within({ zoom: bounded, x, y }, scene);
}

/** Moves the picture, as far as there is more of it to see that way. */
export function panned(pose: Pose, by: Point, scene: Scene): Pose {
  return within({ ...pose, x: pose.x + by.x, y: pose.y + by.y }, scene);
}

/** Whether some of the picture is out of the frame, so that it can be moved. */
export function isCropped({ zoom }: Pose, { fitted, frame }: Scene): boolean {
  return fitted.width * zoom > frame.width + 1 || fitted.height * zoom > frame.height + 1;
}

/** A side that fits stays in the middle; of one that does not, no edge comes off the frame's. */
function within({ zoom, x, y }: Pose, { fitted, frame }: Scene): Pose {
  const spareX = Math.max(0, (fitted.width * zoom - frame.width) / 2);
  const spareY = Math.max(0, (fitted.height * zoom - frame.height) / 2);
  return {
    zoom,
    x: Math.min(spareX, Math.max(-spareX, x)),
    y: Math.min(spareY, Math.max(-spareY, y)),
  };
}
