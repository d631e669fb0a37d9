import { useLayoutEffect, type RefObject } from 'react';
import { createChunk } from '../../../chunks/loader.ts';
import { useChunk } from '../../../chunks/use-chunk.ts';
import type { Column } from './columns.ts';

/** CSS opacity of a column's cells. */
export const columnOpacity = (id: string): string => `var(--see-${id}, 1)`;

/** CSS maximum width of a column's text, so that its dots show. */
export const columnTextWidth = (id: string): string => `var(--fit-${id})`;

const watchChunk = createChunk(() => import('./watch-columns.ts').then(({ watchColumns }) => watchColumns));

/** See watch-columns.ts, which loads after the first rows. */
export function useWholeColumns(
  scrollElementRef: RefObject<HTMLElement | null>,
  columns: readonly Column<never>[],
  isCard: boolean,
): void {
  const { value: watchColumns } = useChunk(watchChunk, false);
  useLayoutEffect(() => {
    if (scrollElementRef.current && watchColumns && !isCard) return watchColumns(scrollElementRef.current, columns);
  }, [scrollElementRef, columns, isCard, watchColumns]);
}
