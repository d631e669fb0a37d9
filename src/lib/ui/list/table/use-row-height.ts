import { useEffect, useState } from 'react';

/** The row's height in pixels as density, text size and pointer make it. */
export function useRowHeight(): number {
  const [height, setHeight] = useState(readRowHeight);
  useEffect(() => {
    const read = () => setHeight(readRowHeight());
    const watch = new MutationObserver(read);
    watch.observe(document.documentElement, { attributeFilter: ['data-density'] });
    addEventListener('resize', read);
    return () => {
      watch.disconnect();
      removeEventListener('resize', read);
    };
  }, []);
  return height;
}

function readRowHeight(): number {
  const style = getComputedStyle(document.documentElement);
  const row = style.getPropertyValue('--row').trim();
  const rem = row.endsWith('rem') ? Number.parseFloat(style.fontSize) : 1;
  return Number.parseFloat(row) * rem || 36;
}
