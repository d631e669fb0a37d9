import { atom } from 'nanostores';

const probeTimes = [Date.UTC(2026, 0, 1), Date.UTC(2026, 6, 1)];
const offsets = (): string => probeTimes.map((at) => new Date(at).getTimezoneOffset()).join(' ');

/** Offsets of the person's time zone. A change rerenders the panel, so that all times use one zone. */
export const $zoneOffsets = atom(offsets());

let known = $zoneOffsets.get();

/** Called by components that show a time. */
export function noticeZone(): void {
  const now = offsets();
  if (now === known) return;
  known = now;
  queueMicrotask(() => $zoneOffsets.set(now)); // not during rendering
}

/** Checks whenever the page becomes visible. */
export function watchZone(): void {
  for (const event of ['focus', 'pageshow']) addEventListener(event, noticeZone);
  document.addEventListener('visibilitychange', noticeZone);
}
