import { dataPanel as commands } from '../../commands/custody/commands.ts';
import { registry } from '../../commands/app/registry.ts';
import { CommandTrigger } from '../../commands/ui/controls/command-trigger.tsx';
import { t } from '../../lib/i18n/i18n.ts';
import { RecordSlot, recordChunk } from '../../lib/ui/record/record-slot.tsx';
import { withFreezeBanner } from './shared/freeze-banner.tsx';
import { ListPart } from '../../lib/ui/list/list-part.tsx';
import { PageHeader } from '../../lib/ui/page.tsx';
import { Institutions } from './institutions.tsx';
import { ReconciliationStrip } from './reconciliation.tsx';
import { ReserveStrip } from './reserve.tsx';
import { CustodyTotals } from './totals.tsx';

registry.add(commands);

const record = recordChunk(async () => (await import('./record.tsx')).InstitutionRecord);

export const DataPanel = withFreezeBanner(() => {
  return (
    <>
      <PageHeader title={t('dataPanel.title')}>
        <CommandTrigger id="dataPanel.refresh" />
      </PageHeader>
      <ReconciliationStrip />
      <ReserveStrip />
      <CustodyTotals />
      <ListPart minHeight={320}>
        <Institutions />
      </ListPart>
      <RecordSlot record={record} />
    </>
  );
});
