import { formatTime } from '../../lib/format.ts';
import { t } from '../../lib/i18n/i18n.ts';
import { TimeText } from '../../lib/ui/value/time.tsx';
import type { WithAge } from './description.ts';

/** With seconds if a lagging replica provided the figures. */
export const AsOfNote = ({ of: { asOf, isLate } }: { of: WithAge }) => (
  <>
    {t('statistics.totals.asOf')}{' '}
    {isLate ? (
      <time dateTime={asOf} dir="ltr" className="whitespace-nowrap tabular-nums">
        {formatTime(asOf)}:{asOf.slice(17, 19)}
      </time>
    ) : (
      <TimeText iso={asOf} />
    )}
  </>
);
