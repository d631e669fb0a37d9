import { atom } from 'nanostores';

const probeTimes = [Date.UTC(2026, 0, 1), Date.UTC(2026, 6, 1)];
const readOffsets = (): string => probeTimes.map((time) => new Date(time).getTimezoneOffset()).join(' ');

/** Offsets of the person's time zone. A change rerenders the panel, so that all times use one zone. */
export const $zoneOffsets = atom(readOffsets());

let knownOffsets = $zoneOffsets.get();

/** Called by components that show a time. */
export function updateZone(): void {
  const currentOffsets = readOffsets();
  if (currentOffsets === knownOffsets) return;
  knownOffsets = currentOffsets;
  queueMicrotask(() => $zoneOffsets.set(currentOffsets)); // not during rendering
}

/** Checks whenever the page becomes visible. */
export function watchZone(): void {
  for (const event of ['focus', 'pageshow']) addEventListener(event, updateZone);
  document.addEventListener('visibilitychange', updateZone);
}
