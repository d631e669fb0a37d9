import { useLayoutEffect, useState } from 'react';

/** An element of the layout, for a portal into it. What is drawn together with the layout finds it once both stand. */
export function usePlace(id: string): HTMLElement | null {
  const [place, setPlace] = useState(() => document.getElementById(id));
  useLayoutEffect(() => setPlace(document.getElementById(id)), [id]);
  return place;
}
