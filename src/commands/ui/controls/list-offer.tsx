import { useStore } from '@nanostores/react';
import { groupDigits } from '../../../lib/format.ts';
import { t } from '../../../lib/i18n/i18n.ts';
import type { ListControls } from '../../../lib/scope.ts';
import type { ListStore } from '../../../lib/ui/list/store.ts';
import { Run } from './run.tsx';

/** All loaded rows are checked and more match: offers to choose them all. */
export function Offer({
  store,
  loaded,
}: {
  store: Pick<ListStore<never>, '$selection'> & { controls: ListControls };
  loaded: number | null;
}) {
  const { checked, whole } = useStore(store.$selection);
  const { count, matching } = store.controls.matching?.now ?? {};
  if (whole || !matching || !count || checked.size !== loaded || count.value <= loaded) return null;
  return <Run id="list.selectMatching" look="ghost" label={t('batch.choose', { n: groupDigits(count.value) })} />;
}
