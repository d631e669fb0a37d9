import { atom } from 'nanostores';

/** New records per resource since the page opened, as the server reports. Use only changes. */
export const $arrived = atom<Readonly<Record<string, string>>>({});

/** Parses `feedback 12`. */
export function publishArrival(payload: string): void {
  const [resource = '', count = ''] = payload.split(' ');
  if ($arrived.get()[resource] !== count) $arrived.set({ ...$arrived.get(), [resource]: count });
}

/** Returns an unsubscribe function. */
export function onArrival(resource: string, listener: () => void): () => void {
  return $arrived.listen((current, previous) => {
    if (current[resource] !== previous?.[resource]) listener();
  });
}
