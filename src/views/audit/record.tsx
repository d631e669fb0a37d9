import { useStore } from '@nanostores/react';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useMemo } from 'react';
import type { AuditDetails } from '../../../api/audit/contract.ts';
import { recorded } from '../../commands/app/all-recorded.ts';
import { restorableKinds } from '../../commands/app/loaders.ts';
import { auditTarget } from '../../commands/audit/commands.ts';
import { refusedFields } from '../../commands/audit/recorded.ts';
import { versionTarget } from '../../commands/engine/versions.ts';
import type { RecordCommand } from '../../commands/ui/controls/record-commands.tsx';
import { api } from '../../lib/net/client.ts';
import { copyText } from '../../lib/clipboard.ts';
import { actionText, actorText } from '../../lib/ui/record/action-text.ts';
import { t } from '../../lib/i18n/i18n.ts';
import { queryClient } from '../../lib/net/query.ts';
import type { Target } from '../../lib/scope.ts';
import { $codeSet, $permittedPaths } from '../../lib/session/session.ts';
import { Button } from '../../lib/ui/button.tsx';
import type { RecordFields } from '../../lib/ui/record/fields.ts';
import { RecordedChange } from '../../lib/ui/record/record-diff.tsx';
import { FieldList } from '../../lib/ui/record/recorded-value.tsx';
import { Time } from '../../lib/ui/value/time.tsx';
import { Details, RecordSection } from '../../lib/ui/record/details.tsx';
import { RecordView, useOpenedDetails } from '../layout/record-view.tsx';
import { AuditResult, RecordName } from './parts.tsx';

const read = async (input: { id: string }, options: { signal: AbortSignal }) => ({
  row: await api.audit.details(input, options),
});

export function AuditRecord({ id }: { id: string }) {
  const opened = useOpenedDetails('audit', id, read, auditTarget);
  return opened && <Opened details={opened.details.row} targets={opened.targets} />;
}

function Opened({ details, targets }: { details: AuditDetails; targets: readonly Target[] }) {
  const restores = useRestores(details);
  const { ip, at } = details;
  return (
    <RecordView
      wide
      title={actionText(details)}
      state={<AuditResult result={details.result} />}
      targets={targets}
      commands={restores}
    >
      <Details
        of={{
          'audit.field.time': <Time iso={at} />,
          'audit.field.actor': actorText(details),
          'audit.field.record': <RecordName row={details} />,
          'audit.field.ip': codeOf(ip),
        }}
      />
      {details.result === 'refused' ? <Why details={details} /> : <Changes details={details} />}
      <Technical details={details} />
    </RecordView>
  );
}

const codeOf = (value: string | null) =>
  value ? (
    <span dir="ltr" className="font-mono text-meta break-all whitespace-pre-wrap">
      {value}
    </span>
  ) : null;

const jsonOf = (state: unknown) => (state === null ? null : JSON.stringify(state, null, 2));

const noFields: RecordFields = {};

function Changes({ details: { entity, before, after } }: { details: AuditDetails }) {
  if (before === null && after === null) return null;
  return (
    <RecordSection title={t(before === null || after === null ? 'audit.recorded' : 'record.diff.title')}>
      <RecordedChange fields={recorded.get(entity) ?? noFields} before={before} after={after} />
    </RecordSection>
  );
}

function Why({ details: { after } }: { details: AuditDetails }) {
  if (typeof after !== 'object' || after === null) return null;
  return (
    <RecordSection title={t('audit.why')}>
      <FieldList fields={refusedFields} record={{ ...after }} />
    </RecordSection>
  );
}

/** Ids, routes, hashes and raw values, for auditors and programs. */
function Technical({ details }: { details: AuditDetails }) {
  const { command, route, permission, entityId, seq, requestId, idempotencyKey, prevHash, hash, before, after } = details;
  return (
    <details data-technical className="border-t border-hairline pt-4">
      <summary className="w-fit cursor-pointer rounded-control text-2">{t('audit.technical')}</summary>
      <div className="py-3">
        <Details
          of={{
            'audit.field.command': codeOf(command),
            'audit.field.route': codeOf(route),
            'audit.field.permission': codeOf(permission),
            'audit.field.recordId': codeOf(entityId),
            'audit.field.requestId': codeOf(requestId),
            'audit.field.idempotencyKey': codeOf(idempotencyKey),
            'audit.field.seq': codeOf(String(seq)),
            'audit.field.prevHash': codeOf(prevHash),
            'audit.field.hash': codeOf(hash),
            'audit.field.before': codeOf(jsonOf(before)),
            'audit.field.after': codeOf(jsonOf(after)),
          }}
        />
      </div>
      <Button onClick={() => void copyText(JSON.stringify(details, null, 2))}>{t('audit.copy')}</Button>
    </details>
  );
}

/** Commands that restore a recorded state, if the resource and the person's permissions allow. */
function useRestores({ id, entity, result, before, after }: AuditDetails): readonly RecordCommand[] {
  const codes = useStore($codeSet);
  const paths = useStore($permittedPaths);
  const from = restorableKinds.get(entity);
  const mayRestore = from !== undefined && result === 'done' && codes.has(from.by) && paths.has(from.place);
  useEffect(() => {
    if (mayRestore) void import('../../commands/app/all.ts');
  }, [mayRestore]);
  const ids = [...(after ? [`${id}:after`] : []), ...(before ? [`${id}:before`] : [])];
  const { data } = useQuery(
    {
      queryKey: [entity, 'versions', id],
      queryFn: ({ signal }) => from?.read(api, ids, { signal }) ?? [],
      enabled: mayRestore && ids.length > 0,
    },
    queryClient,
  );
  return useMemo(
    () =>
      mayRestore && data
        ? data.map((version) => ({
            id: from.by,
            targets: [versionTarget(version)],
            label: t(version.id.endsWith(':before') ? 'audit.restore.before' : 'audit.restore.after'),
          }))
        : [],
    [mayRestore, data, from],
  );
}
