import { getPhase, type Period } from '../../../api/schedule.ts';
import { formatTime, groupDigits } from '../../lib/format.ts';
import { t } from '../../lib/i18n/i18n.ts';
import { labelText } from '../../lib/i18n/punctuation.ts';
import { loadWords } from '../../lib/i18n/words.ts';

const maxLines = 8;

interface ShowableTarget {
  name: string;
  row: Partial<Period>;
}

/** When the website shows each record, or stops. */
export async function reviewShowing(verb: 'show' | 'hide', targets: readonly ShowableTarget[]): Promise<string[]> {
  await loadWords('schedule');
  const now = new Date();
  const lines = targets.slice(0, maxLines).map(({ name, row }) => {
    const text = periodText(verb, { startsAt: row.startsAt ?? null, endsAt: row.endsAt ?? null }, now);
    return targets.length === 1 ? text : labelText(name, text);
  });
  return targets.length > maxLines ? [...lines, t('form.itemsMore', { n: groupDigits(targets.length - maxLines) })] : lines;
}

export function periodText(verb: 'show' | 'hide', period: Period, now: Date): string {
  const phase = getPhase(period, now);
  const start = formatTime(period.startsAt ?? '');
  const end = formatTime(period.endsAt ?? '');
  if (phase === 'over') return t(`schedule.review.${verb}.over`, { end });
  if (phase === 'current') return period.endsAt ? t(`schedule.review.${verb}.until`, { end }) : t(`schedule.review.${verb}.now`);
  return verb === 'show' && period.endsAt
    ? t('schedule.review.show.fromUntil', { start, end })
    : t(`schedule.review.${verb}.from`, { start });
}
