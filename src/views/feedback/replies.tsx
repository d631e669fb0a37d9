import type { FeedbackRow } from '../../../api/feedback/contract.ts';
import { t } from '../../lib/i18n/i18n.ts';
import { TimeText } from '../../lib/ui/value/time.tsx';

/** Email replies, oldest first. */
export function Replies({ row: { replies } }: { row: FeedbackRow }) {
  if (replies.length === 0) return null;
  return (
    <section aria-label={t('feedback.field.replies')} className="flex flex-col gap-3">
      <h3 className="text-section font-semibold">{t('feedback.field.replies')}</h3>
      <ol className="flex flex-col gap-3">
        {replies.map(({ id, content, by, at }) => (
          <li key={id} className="rounded-control bg-layer px-3 py-2">
            <p className="flex flex-wrap gap-x-2 text-meta text-2">
              {t('feedback.repliedBy', { by })}
              <TimeText iso={at} />
            </p>
            <p dir="auto" className="mt-1 text-label break-words whitespace-pre-wrap">
              {content}
            </p>
          </li>
        ))}
      </ol>
    </section>
  );
}
