import { useEffect, useState } from 'react';

/** Pixels. `fixedHeight` and `extra` are in rem. */
export function useRowHeight(fixedHeight: number | undefined, extra: number): number {
  const [height, setHeight] = useState(readRowHeight);
  useEffect(() => {
    const updateHeight = () => setHeight(readRowHeight());
    const observer = new MutationObserver(updateHeight);
    observer.observe(document.documentElement, { attributeFilter: ['data-density'] });
    addEventListener('resize', updateHeight);
    return () => {
      observer.disconnect();
      removeEventListener('resize', updateHeight);
    };
  }, []);
  return (fixedHeight === undefined ? height : fixedHeight * readRemPixels()) + extra * readRemPixels();
}

const readRemPixels = () => Number.parseFloat(getComputedStyle(document.documentElement).fontSize) || 16;

function readRowHeight(): number {
  const style = getComputedStyle(document.documentElement);
  const row = style.getPropertyValue('--row').trim();
  return Number.parseFloat(row) * (row.endsWith('rem') ? readRemPixels() : 1) || 36;
}
