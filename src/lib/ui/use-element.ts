import { useLayoutEffect, useState } from 'react';

/** A layout element for a portal, found after the first render if both render together. */
export function useElement(id: string): HTMLElement | null {
  const [element, setElement] = useState(() => document.getElementById(id));
  useLayoutEffect(() => setElement(document.getElementById(id)), [id]);
  return element;
}
