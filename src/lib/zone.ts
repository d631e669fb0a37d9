import { atom } from 'nanostores';

const winterAndSummer = [Date.UTC(2026, 0, 1), Date.UTC(2026, 6, 1)];
const offsets = (): string => winterAndSummer.map((at) => new Date(at).getTimezoneOffset()).join(' ');

/** The offsets of the person's time zone. The panel is drawn anew when they change, so that one screen has one zone. */
export const $zoneOffsets = atom(offsets());

let known = $zoneOffsets.get();

/** Looks whether the time zone has changed since the page was drawn. For whoever writes a time. */
export function noticeZone(): void {
  const now = offsets();
  if (now === known) return;
  known = now;
  queueMicrotask(() => $zoneOffsets.set(now)); // not while something is being drawn
}

/** Looks whenever somebody comes back to the page. Called once, when the page starts. */
export function watchZone(): void {
  for (const event of ['focus', 'pageshow']) addEventListener(event, noticeZone);
  document.addEventListener('visibilitychange', noticeZone);
}
