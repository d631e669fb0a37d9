import { useSearch } from 'wouter';
import { runCommand } from '../../../commands/app/app.ts';
import { pointsImports } from '../../../commands/imports/commands.ts';
import { points as pointsCommands } from '../../../commands/rewards/points.ts';
import { registry } from '../../../commands/app/registry.ts';
import { CommandTrigger } from '../../../commands/ui/controls/command-trigger.tsx';
import { t } from '../../../lib/i18n/i18n.ts';
import { pointsView } from '../../../commands/rewards/points-filters.ts';
import { RecordSlot, recordChunk } from '../../../lib/ui/record/record-slot.tsx';
import { PageHeader } from '../../../lib/ui/page.tsx';
import { Tabs } from '../../../lib/ui/tabs.tsx';
import { ImportTools, ImportZone } from '../../imports/shared/zone.tsx';
import { Balances } from './balances.tsx';
import { PointsEntries } from './entries.tsx';

registry.add(pointsCommands, pointsImports);

const record = recordChunk(async () => (await import('./record.tsx')).AddressRecord);

export function Points() {
  const search = useSearch();
  const view = pointsView(search);
  return (
    <ImportZone kind="points">
      <PageHeader title={t('points.title')}>
        <ImportTools kind="points" />
        <CommandTrigger id="points.adjust" look="primary" />
      </PageHeader>
      <Tabs
        label={t('points.title')}
        tabs={[
          { value: 'entries', label: t('points.view.entries'), panel: () => <PointsEntries /> },
          { value: 'balances', label: t('points.view.balances'), panel: () => <Balances /> },
        ]}
        value={view}
        onChange={() => runCommand({ id: 'points.view' }, 'button')}
        keys="v"
      />
      <RecordSlot record={record} />
    </ImportZone>
  );
}
