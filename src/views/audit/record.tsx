import { useStore } from '@nanostores/react';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useMemo } from 'react';
import type { AuditDetails } from '../../../api/audit/contract.ts';
import { restorable } from '../../commands/app/loaders.ts';
import { auditTarget } from '../../commands/audit/commands.ts';
import { versionTarget } from '../../commands/engine/versions.ts';
import type { Restored } from '../../commands/engine/resource.ts';
import { Run } from '../../commands/ui/controls/run.tsx';
import { api } from '../../lib/net/client.ts';
import { copyText } from '../../lib/clipboard.ts';
import { doneBy, doneByWhom } from '../../lib/ui/record/done-by.ts';
import { t } from '../../lib/i18n/i18n.ts';
import { queryClient } from '../../lib/net/query.ts';
import { $expert } from '../../lib/prefs/prefs.ts';
import { $codeSet, $permittedPaths } from '../../lib/session/session.ts';
import { Button } from '../../lib/ui/button.tsx';
import { useOpenRecord } from '../../lib/ui/record/open-record.ts';
import { RecordSheet } from '../../lib/ui/record/peek.tsx';
import { saysGone } from '../../lib/ui/record/use-record.ts';
import { RecordDiff } from '../../lib/ui/record/record-diff.tsx';
import { Time } from '../../lib/ui/value/time.tsx';
import { AuditResult, RecordName } from './parts.tsx';

/** One entry of the audit: all that was recorded, before and after side by side. */
export function AuditRecord({ id }: { id: string }) {
  const { data, error } = useQuery(
    { queryKey: ['audit', 'details', id], queryFn: ({ signal }) => api.audit.details({ id }, { signal }), staleTime: Infinity },
    queryClient,
  );
  const isGone = saysGone(error);
  useOpenRecord(data, auditTarget, isGone);
  if (!data) return null;
  return (
    <RecordSheet wide title={doneBy(data)} description={<AuditResult result={data.result} />}>
      <div data-record className="flex flex-col gap-5">
        <div className="flex flex-wrap gap-2">
          <Restore details={data} />
          <Button onClick={() => void copyText(JSON.stringify(data, null, 2))}>{t('audit.copy')}</Button>
        </div>
        <Facts details={data} />
        <section className="flex flex-col gap-3 border-t border-hairline pt-4">
          <h3 className="text-section font-semibold">{t('record.diff.title')}</h3>
          <RecordDiff entity={data.entity} before={data.before} after={data.after} />
        </section>
      </div>
    </RecordSheet>
  );
}

function Facts({ details }: { details: AuditDetails }) {
  const { command, route, permission, entityId, ip, at, seq, requestId, idempotencyKey, prevHash, hash } = details;
  const codes: (readonly [Parameters<typeof t>[0], string | null])[] = [
    ['audit.field.ip', ip],
    ['audit.field.command', command],
    ['audit.field.route', route],
    ['audit.field.permission', permission],
    ['audit.field.recordId', entityId],
    ['audit.field.requestId', requestId],
    ['audit.field.idempotencyKey', idempotencyKey],
    ...(useStore($expert)
      ? ([
          ['audit.field.seq', String(seq)],
          ['audit.field.prevHash', prevHash],
          ['audit.field.hash', hash],
        ] as const)
      : []),
  ];
  return (
    <dl className="grid grid-cols-[auto_1fr] gap-x-6 gap-y-2">
      <dt className="text-2">{t('audit.field.time')}</dt>
      <dd>
        <Time iso={at} />
      </dd>
      <dt className="text-2">{t('audit.field.actor')}</dt>
      <dd className="break-words">{doneByWhom(details)}</dd>
      <dt className="text-2">{t('audit.field.record')}</dt>
      <dd className="break-words">
        <RecordName row={details} />
      </dd>
      {codes
        .filter(([, value]) => value !== null && value !== '')
        .map(([label, value]) => (
          <div key={label} className="contents">
            <dt className="text-2">{t(label)}</dt>
            <dd dir="ltr" className="font-mono break-all">
              {value}
            </dd>
          </div>
        ))}
    </dl>
  );
}

/** Brings a state that this entry holds back, where its resource allows it and the person may. */
function Restore({ details }: { details: AuditDetails }) {
  const codes = useStore($codeSet);
  const paths = useStore($permittedPaths);
  const from = restorable.get(details.entity);
  const isOpen = from !== undefined && details.result === 'done' && codes.has(from.by) && paths.has(from.place);
  return isOpen ? <RestoreStates from={from} details={details} /> : null;
}

function RestoreStates({ from, details: { id, before, after, entity } }: { from: Restored; details: AuditDetails }) {
  useEffect(() => void import('../../commands/app/all.ts'), []);
  const ids = [...(after ? [`${id}:after`] : []), ...(before ? [`${id}:before`] : [])];
  const { data = [] } = useQuery(
    { queryKey: [entity, 'versions', id], queryFn: ({ signal }) => from.read(api, ids, { signal }) },
    queryClient,
  );
  const targets = useMemo(() => data.map((version) => [versionTarget(version)]), [data]);
  return targets.map((target) => {
    const [version] = target;
    const state = version?.row.id.endsWith(':before') ? 'audit.restore.before' : 'audit.restore.after';
    return <Run key={version?.id} id={from.by} targets={target} label={t(state)} />;
  });
}
