import type { ComponentType } from 'react';
import { useSearch } from 'wouter';
import { createChunk, type Chunk } from '../../chunks/loader.ts';
import { loadWords } from '../../i18n/words.ts';
import { useLazySheet } from '../lazy-sheet.tsx';

export const recordChunk = <P extends { id: string }>(loadRecord: () => Promise<ComponentType<P>>): Chunk<ComponentType<P>> =>
  createChunk(async () => {
    const [RecordComponent, { Peek }] = await Promise.all([loadRecord(), import('./peek.tsx'), loadWords('record')]);
    return (props: P) => (
      <Peek id={props.id}>
        <RecordComponent key={props.id} {...props} />
      </Peek>
    );
  });

/** The record in the address (`?open=`). */
export function RecordSlot<P extends { id: string }>({ record, ...props }: { record: Chunk<ComponentType<P>> } & Omit<P, 'id'>) {
  const id = new URLSearchParams(useSearch()).get('open');
  const RecordComponent = useLazySheet(record, id !== null);
  return id !== null && RecordComponent && <RecordComponent {...({ ...props, id } as unknown as P)} />;
}
