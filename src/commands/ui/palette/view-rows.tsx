import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import type { ViewRow } from '../../../../api/saved-views/contract.ts';
import { api } from '../../../lib/net/client.ts';
import { queryClient } from '../../../lib/net/query.ts';
import { t } from '../../../lib/i18n/i18n.ts';
import { Icon } from '../../../lib/ui/icon.tsx';
import type { PaletteRow } from './options.tsx';
import { HighlightedText } from './parts.tsx';
import { screenName } from './preview.tsx';
import { textMarks } from './search/search.ts';

const maxViews = 5;

export function useViewsFor(query: string, canOpen: (screenPath: string) => boolean): readonly ViewRow[] {
  const searchText = query.trim();
  const { data } = useQuery(
    { queryKey: ['views'], queryFn: ({ signal }) => api.views.list(undefined, { signal }), enabled: searchText !== '' },
    queryClient,
  );
  return useMemo(
    () =>
      (searchText === '' ? [] : (data ?? []))
        .filter(({ name, place }) => textMarks(name, searchText).length > 0 && canOpen(place))
        .slice(0, maxViews),
    [data, searchText, canOpen],
  );
}

export const viewRow = ({ name, place }: ViewRow, query: string): Omit<PaletteRow, 'value'> => ({
  group: t('views.title'),
  draw: () => (
    <>
      <Icon name="bookmark" className="text-2" />
      <span className="min-w-0 grow truncate">
        <HighlightedText text={name} marks={textMarks(name, query)} />
      </span>
      <span className="shrink-0 text-meta text-2">{screenName(place)}</span>
    </>
  ),
});
