/**
 * A time in a track: "3:07", "1:02:09".
 *
 * @param seconds a fraction is cut off
 */
export function formatTime(seconds: number): string {
  const whole = Math.max(0, Math.floor(seconds) || 0);
  const parts = [Math.floor(whole / 3600), Math.floor(whole / 60) % 60, whole % 60];
  const shown = parts[0] === 0 ? parts.slice(1) : parts;
  return shown.map((part, index) => index === 0 ? `${part}` : `${part}`.padStart(2, "0")).join(":");
}
