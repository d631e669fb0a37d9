import { useStore } from '@nanostores/react';
import { t } from '../../../lib/i18n/i18n.ts';
import { $expert } from '../../../lib/prefs/prefs.ts';
import { chartUnits, type ChartQuery } from '../../../lib/ui/chart/query.ts';
import { Segments } from '../../../lib/ui/segments.tsx';
import { runCommand } from '../../app/app.ts';
import { keysOf } from '../../app/keymap.ts';
import { ariaKeys, CommandTrigger } from './command-trigger.tsx';

interface ChartToolsProps {
  query: ChartQuery;
  canCompare: boolean;
  hasUnits?: boolean;
}

export function ChartTools({ query, canCompare, hasUnits = true }: ChartToolsProps) {
  const [unitKeys] = keysOf('chart.unit');
  const isExpert = useStore($expert);
  return (
    <>
      {hasUnits && (
        <Segments
          label={t('chart.unit')}
          options={chartUnits.map((value) => ({ value, label: t(`chart.unitName.${value}`) }))}
          value={query.unit}
          keys={unitKeys && ariaKeys(unitKeys)}
          onChange={(unit) => runCommand({ id: 'chart.unit', params: { unit } }, 'button')}
        />
      )}
      {hasUnits && (
        <CommandTrigger
          key={String(canCompare)}
          id="chart.compare"
          label={t('chart.before')}
          look={query.compare ? 'primary' : 'secondary'}
        />
      )}
      <CommandTrigger id="chart.table" label={t('chart.table')} look={query.table ? 'primary' : 'secondary'} />
      {isExpert && <CommandTrigger id="chart.saveCsv" compact />}
    </>
  );
}
