import { useSearch } from 'wouter';
import { dataPanel as commands } from '../../commands/custody/commands.ts';
import { registry } from '../../commands/app/registry.ts';
import { Run } from '../../commands/ui/controls/run.tsx';
import { loadWords } from '../../lib/i18n/words.ts';
import { t } from '../../lib/i18n/i18n.ts';
import { chunk } from '../../lib/chunks/loader.ts';
import { useSheet } from '../../lib/ui/late.tsx';
import { withFreezeBanner } from './shared/freeze-banner.tsx';
import { PageHeader } from '../../lib/ui/page.tsx';
import { Institutions } from './institutions.tsx';
import { ReconciliationStrip } from './reconciliation.tsx';
import { ReserveStrip } from './reserve.tsx';
import { Totals } from './totals.tsx';

registry.add(commands);

const record = chunk(async () => (await Promise.all([import('./record.tsx'), loadWords('record')]))[0].InstitutionRecord);

/** What institutions have in custody, by ledger and by chain, and whether the two agree. */
export const DataPanel = withFreezeBanner(() => {
  const open = new URLSearchParams(useSearch()).get('open');
  const Record = useSheet(record, open !== null);
  return (
    <>
      <PageHeader title={t('dataPanel.title')}>
        <Run id="dataPanel.refresh" />
      </PageHeader>
      <ReconciliationStrip />
      <ReserveStrip />
      <Totals />
      <div className="min-h-80 flex-1 border-t border-hairline">
        <Institutions />
      </div>
      {open !== null && Record && <Record key={open} address={open} />}
    </>
  );
});
