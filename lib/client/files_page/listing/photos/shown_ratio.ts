/**
 * Ratios are shown in steps, 24 to an octave: 4:3, 3:2 and 16:9 are met to a quarter of a percent,
 * and no other is off by more than 1.5 %. A style sheet has a rule for each step, as the policy of
 * pages forbids styles in what the server sends.
 */
const STEPS = 24;

/** Ratios beyond 0.45 and 6 are cropped: a slit can't be hit, and a strip has no height. */
const [LEAST_STEP, MOST_STEP] = [-28, 62];

/** Of a picture that is not read yet, in percent: most photos are so. */
const UNKNOWN = 150;

/** The step of a ratio. @param percent as the server tells it; 0 while it is not known */
function stepOf(percent: number | undefined): number {
  const step = Math.round(STEPS * Math.log2((percent || UNKNOWN) / 100));
  return Math.max(LEAST_STEP, Math.min(MOST_STEP, step));
}

/** The shown ratio of an entry. @param percent as the server tells it; 0 while it is not known */
export function shownRatio(percent: number | undefined): number {
  return 2 ** (stepOf(percent) / STEPS);
}

/** The same for the style sheet: the octave, and the step in it. */
export function shapeOf(percent: number | undefined): string {
  const step = stepOf(percent);
  const octave = Math.floor(step / STEPS);
  return `o${octave} s${step - octave * STEPS}`;
}
