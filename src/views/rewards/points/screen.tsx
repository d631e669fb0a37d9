import { useSearch } from 'wouter';
import { run } from '../../../commands/app/app.ts';
import { pointsImports } from '../../../commands/imports/commands.ts';
import { points as pointsCommands } from '../../../commands/rewards/points.ts';
import { registry } from '../../../commands/app/registry.ts';
import { Run } from '../../../commands/ui/controls/run.tsx';
import { t } from '../../../lib/i18n/i18n.ts';
import { viewOf } from '../../../commands/rewards/points-filters.ts';
import { RecordSlot, recordChunk } from '../../../lib/ui/record/record-slot.tsx';
import { ExportProgress } from '../../../lib/ui/list/export-progress.tsx';
import { PageHeader } from '../../../lib/ui/page.tsx';
import { Tabs } from '../../../lib/ui/tabs.tsx';
import { ImportZone } from '../../imports/shared/zone.tsx';
import { Balances } from './balances.tsx';
import { Entries } from './entries.tsx';

registry.add(pointsCommands, pointsImports);

const record = recordChunk(async () => (await import('./record.tsx')).AddressRecord);

/** The ledger of berries, and what each address has: two views of one screen. */
export function Points() {
  const search = useSearch();
  const view = viewOf(search);
  return (
    <ImportZone kind="points">
      <PageHeader title={t('points.title')}>
        <ExportProgress says="points.exporting" />
        <Run id="points.imports" compact />
        <Run id="points.import" />
        <Run id="points.export" />
        <Run id="points.adjust" look="primary" />
      </PageHeader>
      <Tabs
        label={t('points.title')}
        controls="points-view"
        tabs={[
          { value: 'entries', label: t('points.view.entries') },
          { value: 'balances', label: t('points.view.balances') },
        ]}
        value={view}
        onChange={(next) => {
          if (next !== view) run({ id: 'points.view' }, 'button');
        }}
        keys="v"
      />
      <div id="points-view" role="tabpanel" aria-label={t(`points.view.${view}`)} className="min-h-0 flex-1">
        {view === 'entries' ? <Entries /> : <Balances />}
      </div>
      <RecordSlot record={record} />
    </ImportZone>
  );
}
