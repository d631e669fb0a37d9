import { t } from '../../../lib/i18n/i18n.ts';
import type { Target } from '../../../lib/scope.ts';
import { Icon } from '../../../lib/ui/icon.tsx';
import type { PaletteRow } from './options.tsx';
import { HighlightedText, keepInputFocus } from './parts.tsx';
import { iconOf, screenName } from './preview.tsx';
import type { RecentRow } from './recent-rows.ts';
import { textMarks } from './search/search.ts';
import { recordKindOf, recordNoteOf } from './search/searchers.ts';

export function recordRow(
  { entity, name, target }: Pick<RecentRow, 'entity' | 'name' | 'target'>,
  query: string,
  narrowTo: (target: Target) => void,
): Omit<PaletteRow, 'value'> {
  const { place = '' } = recordKindOf({ entity });
  return {
    group: t(query.trim() === '' ? 'finder.group.recentRecords' : 'finder.group.records'),
    draw: () => (
      <>
        <Icon name={iconOf(place)} className="text-2" />
        <span className="truncate">
          <HighlightedText text={name} marks={textMarks(name, query)} />
        </span>
        <span className="min-w-0 grow basis-16 truncate text-meta text-2">{target && recordNoteOf(target)}</span>
        <span className="shrink-0 text-meta text-2">{screenName(place)}</span>
        {/* Touch and mouse only; the keyboard has Tab. */}
        {target && (
          <span
            aria-hidden="true"
            data-narrow
            onMouseDown={keepInputFocus}
            onClick={(event) => {
              event.stopPropagation();
              narrowTo(target);
            }}
            className="-me-1.5 inline-flex size-7 shrink-0 items-center justify-center rounded-control text-2 hover:bg-layer touch:size-11"
          >
            <Icon name="ellipsis" />
          </span>
        )}
      </>
    ),
  };
}
