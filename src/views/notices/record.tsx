import type { RecordedVersion } from '../../../api/history.ts';
import { recorded } from '../../commands/notices/recorded.ts';
import { versionTarget } from '../../commands/engine/versions.ts';
import { noticeTarget } from '../../commands/notices/commands.ts';
import { CommandTrigger } from '../../commands/ui/controls/command-trigger.tsx';
import { api } from '../../lib/net/client.ts';
import { t } from '../../lib/i18n/i18n.ts';
import { useOpenRecord } from '../../lib/ui/record/open-record.ts';
import { RecordSheet } from '../../lib/ui/record/peek.tsx';
import { useRecord } from '../../lib/ui/record/use-record.ts';
import { RecordHistory } from '../../lib/ui/record/record-history.tsx';
import { SafeLink } from '../../lib/ui/value/safe-link.tsx';
import { Time } from '../../lib/ui/value/time.tsx';
import { NoticeStatus } from './status.tsx';

const restore = (version: RecordedVersion) => (
  <CommandTrigger id="notices.restore" targets={[versionTarget(version)]} label={t('record.history.restore')} />
);

export function NoticeRecord({ id }: { id: string }) {
  const { row, isGone } = useRecord('notices', id, api.notices.many);
  useOpenRecord(row, noticeTarget, isGone);
  if (!row) return null;
  const target = [noticeTarget(row)];
  const moments = ['startsAt', 'endsAt', 'createdAt', 'updatedAt'] as const;
  return (
    <RecordSheet title={t('notices.one')} description={<NoticeStatus row={row} />}>
      <div data-record className="flex flex-col gap-5">
        <div className="flex flex-wrap gap-2">
          <CommandTrigger id="notices.edit" targets={target} />
          {row.shown ? (
            <CommandTrigger id="notices.hide" targets={target} />
          ) : (
            <CommandTrigger id="notices.show" targets={target} />
          )}
          <CommandTrigger id="notices.preview" targets={target} />
          <CommandTrigger id="notices.delete" targets={target} />
        </div>
        <p className="text-label break-words whitespace-pre-wrap" dir="auto">
          {row.content}
        </p>
        <dl className="grid grid-cols-[auto_1fr] gap-x-6 gap-y-2">
          <dt className="text-2">{t('notices.field.link')}</dt>
          <dd className="min-w-0">
            <SafeLink href={row.link} whole />
          </dd>
          <dt className="text-2">{t('notices.field.platform')}</dt>
          <dd>{t(`notices.platform.${row.platform}`)}</dd>
          <dt className="text-2">{t('notices.field.creatorEmail')}</dt>
          <dd className="min-w-0 break-all">{row.creatorEmail || '—'}</dd>
          {moments.map((name) => (
            <div key={name} className="contents">
              <dt className="text-2">{t(`notices.field.${name}`)}</dt>
              <dd>
                <Time iso={row[name]} />
              </dd>
            </div>
          ))}
        </dl>
        <RecordHistory
          resource="notices"
          entity="notice"
          fields={recorded.notice}
          id={id}
          load={(input, signal) => api.notices.history(input, { signal })}
          current={row}
          action={restore}
        />
      </div>
    </RecordSheet>
  );
}
