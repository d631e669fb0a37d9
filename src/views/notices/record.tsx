import { noticeTarget } from '../../commands/notices/commands.ts';
import { recorded } from '../../commands/notices/recorded.ts';
import { t } from '../../lib/i18n/i18n.ts';
import { api } from '../../lib/net/client.ts';
import { ShownPhase } from '../../lib/ui/value/shown-phase.tsx';
import { SafeLink } from '../../lib/ui/value/safe-link.tsx';
import { TimeText } from '../../lib/ui/value/time.tsx';
import { Details } from '../../lib/ui/record/details.tsx';
import { RecordView, useOpenedRecord } from '../layout/record-view.tsx';

export function NoticeRecord({ id }: { id: string }) {
  const openedRecord = useOpenedRecord('notices', id, api.notices.many, noticeTarget);
  if (!openedRecord) return null;
  const { row, targets } = openedRecord;
  return (
    <RecordView
      title={t('notices.one')}
      state={<ShownPhase of="notices" row={row} />}
      targets={targets}
      primary="notices.edit"
      commands={[row.shown ? 'notices.hide' : 'notices.show', 'notices.preview', 'notices.delete']}
      history={{
        resource: 'notices',
        entity: 'notice',
        fields: recorded.notice,
        current: row,
        load: api.notices.history,
        restore: 'notices.restore',
      }}
    >
      <p className="text-label break-words whitespace-pre-wrap" dir="auto">
        {row.content}
      </p>
      <Details
        of={{
          'notices.field.link': <SafeLink href={row.link} whole />,
          'notices.field.platform': t(`notices.platform.${row.platform}`),
          'notices.field.creatorEmail': row.creatorEmail || '—',
          'schedule.startsAt': <TimeText iso={row.startsAt} />,
          'schedule.endsAt': <TimeText iso={row.endsAt} />,
          'notices.field.createdAt': <TimeText iso={row.createdAt} />,
          'notices.field.updatedAt': <TimeText iso={row.updatedAt} />,
        }}
      />
    </RecordView>
  );
}
