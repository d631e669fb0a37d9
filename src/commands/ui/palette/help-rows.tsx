import { useMemo } from 'react';
import { createChunk } from '../../../lib/chunks/loader.ts';
import { useChunk } from '../../../lib/chunks/use-chunk.ts';
import { t } from '../../../lib/i18n/i18n.ts';
import { Icon } from '../../../lib/ui/icon.tsx';
import type { PaletteRow } from './options.tsx';
import { HighlightedText } from './parts.tsx';
import type { HelpHit } from './search/help.ts';
import { textMarks } from './search/search.ts';

const helpSearch = createChunk(() => import('./search/help.ts').then(({ findHelp }) => findHelp));

const noHits: readonly HelpHit[] = [];

export function useHelpFor(query: string): readonly HelpHit[] {
  const { value: findHelp } = useChunk(helpSearch, false);
  return useMemo(() => findHelp?.(query) ?? noHits, [findHelp, query]);
}

export const helpRow = ({ title, page }: HelpHit, query: string): Omit<PaletteRow, 'value'> => ({
  group: t('finder.group.help'),
  draw: () => (
    <>
      <Icon name="circle-question-mark" className="text-2" />
      <span className="min-w-0 grow truncate">
        <HighlightedText text={title} marks={textMarks(title, query)} />
      </span>
      <span className="shrink-0 text-meta text-2">{page}</span>
    </>
  ),
});
