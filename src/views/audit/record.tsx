import { useStore } from '@nanostores/react';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useMemo, type ReactNode } from 'react';
import type { AuditDetails } from '../../../api/audit/contract.ts';
import { recorded } from '../../commands/app/all-recorded.ts';
import { restorable } from '../../commands/app/loaders.ts';
import { auditTarget } from '../../commands/audit/commands.ts';
import { refused } from '../../commands/audit/recorded.ts';
import { versionTarget } from '../../commands/engine/versions.ts';
import type { RestorableRecord } from '../../commands/engine/resource.ts';
import { CommandTrigger } from '../../commands/ui/controls/command-trigger.tsx';
import { api } from '../../lib/net/client.ts';
import { copyText } from '../../lib/clipboard.ts';
import { actionText, actorText } from '../../lib/ui/record/action-text.ts';
import { t } from '../../lib/i18n/i18n.ts';
import { queryClient } from '../../lib/net/query.ts';
import { $codeSet, $permittedPaths } from '../../lib/session/session.ts';
import { Button } from '../../lib/ui/button.tsx';
import { useOpenRecord } from '../../lib/ui/record/open-record.ts';
import { RecordSheet } from '../../lib/ui/record/peek.tsx';
import { isMissingError } from '../../lib/ui/record/use-record.ts';
import type { RecordFields } from '../../lib/ui/record/fields.ts';
import { RecordedChange } from '../../lib/ui/record/record-diff.tsx';
import { FieldList } from '../../lib/ui/record/recorded-value.tsx';
import { Time } from '../../lib/ui/value/time.tsx';
import { AuditResult, RecordName } from './parts.tsx';

export function AuditRecord({ id }: { id: string }) {
  const { data, error } = useQuery(
    { queryKey: ['audit', 'details', id], queryFn: ({ signal }) => api.audit.details({ id }, { signal }), staleTime: Infinity },
    queryClient,
  );
  const isGone = isMissingError(error);
  useOpenRecord(data, auditTarget, isGone);
  if (!data) return null;
  return (
    <RecordSheet wide title={actionText(data)} description={<AuditResult result={data.result} />}>
      <div data-record className="flex flex-col gap-5">
        <Restore details={data} />
        <Facts details={data} />
        {data.result === 'refused' ? <Why details={data} /> : <Changes details={data} />}
        <Technical details={data} />
      </div>
    </RecordSheet>
  );
}

function Facts({ details }: { details: AuditDetails }) {
  const { ip, at } = details;
  return (
    <dl className="grid grid-cols-[auto_1fr] gap-x-6 gap-y-2">
      <dt className="text-2">{t('audit.field.time')}</dt>
      <dd>
        <Time iso={at} />
      </dd>
      <dt className="text-2">{t('audit.field.actor')}</dt>
      <dd className="break-words">{actorText(details)}</dd>
      <dt className="text-2">{t('audit.field.record')}</dt>
      <dd className="break-words">
        <RecordName row={details} />
      </dd>
      {ip !== '' && (
        <>
          <dt className="text-2">{t('audit.field.ip')}</dt>
          <dd dir="ltr" className="font-mono break-all">
            {ip}
          </dd>
        </>
      )}
    </dl>
  );
}

const Part = ({ title, children }: { title: string; children: ReactNode }) => (
  <section className="flex flex-col gap-3 border-t border-hairline pt-4">
    <h3 className="text-section font-semibold">{title}</h3>
    {children}
  </section>
);

const noFields: RecordFields = {};

function Changes({ details: { entity, before, after } }: { details: AuditDetails }) {
  if (before === null && after === null) return null;
  return (
    <Part title={t(before === null || after === null ? 'audit.recorded' : 'record.diff.title')}>
      <RecordedChange fields={recorded.get(entity) ?? noFields} before={before} after={after} />
    </Part>
  );
}

function Why({ details: { after } }: { details: AuditDetails }) {
  if (typeof after !== 'object' || after === null) return null;
  return (
    <Part title={t('audit.why')}>
      <FieldList fields={refused} record={{ ...after }} />
    </Part>
  );
}

/** Ids, routes, hashes and raw values, for auditors and programs. */
function Technical({ details }: { details: AuditDetails }) {
  const { command, route, permission, entityId, seq, requestId, idempotencyKey, prevHash, hash, before, after } = details;
  const codes: (readonly [Parameters<typeof t>[0], string | null])[] = [
    ['audit.field.command', command],
    ['audit.field.route', route],
    ['audit.field.permission', permission],
    ['audit.field.recordId', entityId],
    ['audit.field.requestId', requestId],
    ['audit.field.idempotencyKey', idempotencyKey],
    ['audit.field.seq', String(seq)],
    ['audit.field.prevHash', prevHash],
    ['audit.field.hash', hash],
    ['audit.field.before', before === null ? null : JSON.stringify(before, null, 2)],
    ['audit.field.after', after === null ? null : JSON.stringify(after, null, 2)],
  ];
  return (
    <details data-technical className="border-t border-hairline pt-4">
      <summary className="w-fit cursor-pointer rounded-control text-2">{t('audit.technical')}</summary>
      <dl className="grid grid-cols-[auto_1fr] gap-x-6 gap-y-2 py-3">
        {codes
          .filter(([, value]) => value !== null && value !== '')
          .map(([label, value]) => (
            <div key={label} className="contents">
              <dt className="text-2">{t(label)}</dt>
              <dd dir="ltr" className="font-mono text-meta break-all whitespace-pre-wrap">
                {value}
              </dd>
            </div>
          ))}
      </dl>
      <Button onClick={() => void copyText(JSON.stringify(details, null, 2))}>{t('audit.copy')}</Button>
    </details>
  );
}

/** Restores a recorded state, if the resource and the person's permissions allow. */
function Restore({ details }: { details: AuditDetails }) {
  const codes = useStore($codeSet);
  const paths = useStore($permittedPaths);
  const from = restorable.get(details.entity);
  const isOpen = from !== undefined && details.result === 'done' && codes.has(from.by) && paths.has(from.place);
  return isOpen ? (
    <div className="flex flex-wrap gap-2 empty:hidden">
      <RestoreStates from={from} details={details} />
    </div>
  ) : null;
}

function RestoreStates({ from, details: { id, before, after, entity } }: { from: RestorableRecord; details: AuditDetails }) {
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
    return <CommandTrigger key={version?.id} id={from.by} targets={target} label={t(state)} />;
  });
}
