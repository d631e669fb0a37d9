import { groupDigits } from '../../../lib/format.ts';
import { t } from '../../../lib/i18n/i18n.ts';
import { joinList } from '../../../lib/i18n/punctuation.ts';
import type { SkippedTarget } from '../../engine/assess.ts';

const maxNames = 3;

/** Shown before the start, so that records are never skipped silently. */
export function SkippedTargets({ runnable, skipped }: { runnable: number; skipped: readonly SkippedTarget[] }) {
  if (skipped.length === 0) return null;
  const namesByReason = new Map<string, string[]>();
  for (const { target, why } of skipped) {
    const reason = t(why.reason, why.values);
    namesByReason.set(reason, [...(namesByReason.get(reason) ?? []), target.name]);
  }
  return (
    <div data-part className="mt-2 rounded-control bg-layer px-3 py-2 text-body">
      <p className="font-medium text-1">
        {t('rows.part', {
          n: groupDigits(runnable),
          all: groupDigits(runnable + skipped.length),
          left: groupDigits(skipped.length),
        })}
      </p>
      <ul className="max-h-40 overflow-y-auto">
        {[...namesByReason].map(([why, names]) => (
          <li key={why} className="pt-1 break-words">
            {why}
            <span className="block text-meta text-2">
              {joinList(names.slice(0, maxNames))}
              {names.length > maxNames && ` ${t('form.itemsMore', { n: groupDigits(names.length - maxNames) })}`}
            </span>
          </li>
        ))}
      </ul>
    </div>
  );
}
