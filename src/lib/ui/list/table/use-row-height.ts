import { useEffect, useState } from 'react';

/** Pixels. `own` and `extra` are in rem. */
export function useRowHeight(own: number | undefined, extra: number): number {
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
  return (own === undefined ? height : own * rem()) + extra * rem();
}

const rem = () => Number.parseFloat(getComputedStyle(document.documentElement).fontSize) || 16;

function readRowHeight(): number {
  const style = getComputedStyle(document.documentElement);
  const row = style.getPropertyValue('--row').trim();
  return Number.parseFloat(row) * (row.endsWith('rem') ? rem() : 1) || 36;
}
