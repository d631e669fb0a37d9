import { useStore } from '@nanostores/react';
import X from 'lucide-react/icons/x';
import { useContext, type ReactNode } from 'react';
import { groupDigits } from '../../../format.ts';
import { t } from '../../../i18n/i18n.ts';
import { Button } from '../../button.tsx';
import type { MatchCount } from '../../../scope.ts';
import { $listExtras } from '../extras.ts';
import type { ListStore } from '../store.ts';
import { useCheckedSelection } from '../use-chosen.ts';
import { WholeList } from '../whole-list.ts';

interface FootProps<Row extends { id: string }> {
  store: ListStore<Row>;
  count: MatchCount | null;
  /** Null while loading. */
  loaded: number | null;
  bulk: ReactNode;
  note: ReactNode;
}

export function TableFooter<Row extends { id: string }>({ store, count, loaded, bulk, note }: FootProps<Row>) {
  const { checked, whole } = useCheckedSelection(store);
  const hasSelection = checked > 0;
  const selectionText = t(whole ? 'list.whole' : 'list.chosen', { n: groupDigits(whole?.count ?? checked) });
  const { Offer } = useStore($listExtras);
  const isWhole = useContext(WholeList);
  return (
    <div
      data-foot
      className={`flex min-h-bar flex-wrap items-center gap-2 border-t border-hairline px-cell max-md:py-1.5 ${hasSelection ? 'bg-layer-selected' : 'bg-canvas'} ${isWhole ? 'sticky bottom-0 z-10' : ''}`}
    >
      <p role="status" className="text-meta whitespace-nowrap text-2 tabular-nums">
        {hasSelection ? <span className="font-medium text-1">{selectionText}</span> : countText(count, loaded)}
      </p>
      {hasSelection && Offer && <Offer store={store} />}
      {note}
      {hasSelection && (
        <>
          <div
            role="group"
            aria-label={selectionText}
            className="flex flex-wrap items-center gap-2 max-md:order-last max-md:w-full md:ps-2"
          >
            {bulk}
          </div>
          <Button
            look="ghost"
            icon={<X size={14} aria-hidden="true" />}
            keys="escape"
            className="ms-auto"
            onClick={store.controls.clear}
          >
            {t('list.clear')}
          </Button>
        </>
      )}
    </div>
  );
}

function countText(count: MatchCount | null, loaded: number | null): string {
  if (loaded === null) return '';
  if (!count) return t('list.loaded', { n: groupDigits(loaded) });
  return t(count.kind === 'exact' ? 'list.count' : 'list.about', { n: groupDigits(count.value) });
}
