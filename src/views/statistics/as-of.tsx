import { formatTime } from '../../lib/format.ts';
import { t } from '../../lib/i18n/i18n.ts';
import { Time } from '../../lib/ui/value/time.tsx';
import type { Aged } from './description.ts';

/** As of when figures are; to the second where they are some seconds old, read from a replica that is behind. */
export const AsOf = ({ of: { asOf, isLate } }: { of: Aged }) => (
  <>
    {t('statistics.totals.asOf')}{' '}
    {isLate ? (
      <time dateTime={asOf} dir="ltr" className="whitespace-nowrap tabular-nums">
        {formatTime(asOf)}:{asOf.slice(17, 19)}
      </time>
    ) : (
      <Time iso={asOf} />
    )}
  </>
);
