import { atom } from 'nanostores';

/** How many records of each resource have come in from outside, as far as this page has heard. Only the change means anything. */
export const $arrived = atom<Readonly<Record<string, string>>>({});

/** Takes what the server says: `feedback 12`. */
export function hearArrival(said: string): void {
  const [resource = '', count = ''] = said.split(' ');
  if ($arrived.get()[resource] !== count) $arrived.set({ ...$arrived.get(), [resource]: count });
}

/** Calls when more of a resource has come in. Returns how to stop. */
export function onArrival(resource: string, act: () => void): () => void {
  return $arrived.listen((now, before) => {
    if (now[resource] !== before?.[resource]) act();
  });
}
