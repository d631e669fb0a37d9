import { groupDigits } from '../../../lib/format.ts';
import { t } from '../../../lib/i18n/i18n.ts';
import type { ListControls } from '../../../lib/scope.ts';
import type { ListStore } from '../../../lib/ui/list/store.ts';
import { useCheckedSelection } from '../../../lib/ui/list/use-chosen.ts';
import { CommandTrigger } from './command-trigger.tsx';

export function SelectAllOffer({ store }: { store: Pick<ListStore<never>, '$selection'> & { controls: ListControls } }) {
  const { checked, all, whole } = useCheckedSelection(store);
  const { count, matching } = store.controls.matching?.now ?? {};
  if (!all || whole || !matching || !count || count.value <= checked) return null;
  return <CommandTrigger id="list.selectMatching" look="ghost" label={t('batch.choose', { n: groupDigits(count.value) })} />;
}
