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
import { TimeText } from '../../lib/ui/value/time.tsx';
import { Details, RecordSection } from '../../lib/ui/record/details.tsx';
import { RecordView, useOpenedDetails } from '../layout/record-view.tsx';
import { AuditResult, RecordName } from './parts.tsx';

const readDetails = async (input: { id: string }, options: { signal: AbortSignal }) => ({
  row: await api.audit.details(input, options),
});

export function AuditRecord({ id }: { id: string }) {
  const openedRecord = useOpenedDetails('audit', id, readDetails, auditTarget);
  return openedRecord && <OpenedRecord details={openedRecord.details.row} targets={openedRecord.targets} />;
}

function OpenedRecord({ details, targets }: { details: AuditDetails; targets: readonly Target[] }) {
  const restoreOptions = useRestores(details);
  const { ip, at } = details;
  return (
    <RecordView
      wide
      title={actionText(details)}
      state={<AuditResult result={details.result} />}
      targets={targets}
      commands={restoreOptions}
    >
      <Details
        of={{
          'audit.field.time': <TimeText iso={at} />,
          'audit.field.actor': actorText(details),
          'audit.field.record': <RecordName row={details} />,
          'audit.field.ip': renderCode(ip),
        }}
      />
      {details.result === 'refused' ? <ReasonText details={details} /> : <Changes details={details} />}
      <TechnicalDetails details={details} />
    </RecordView>
  );
}

const renderCode = (value: string | null) =>
  value ? (
    <span dir="ltr" className="font-mono text-meta break-all whitespace-pre-wrap">
      {value}
    </span>
  ) : null;

const toJson = (state: unknown) => (state === null ? null : JSON.stringify(state, null, 2));

const noFields: RecordFields = {};

function Changes({ details: { entity, before, after } }: { details: AuditDetails }) {
  if (before === null && after === null) return null;
  return (
    <RecordSection title={t(before === null || after === null ? 'audit.recorded' : 'record.diff.title')}>
      <RecordedChange fields={recorded.get(entity) ?? noFields} before={before} after={after} />
    </RecordSection>
  );
}

function ReasonText({ details: { after } }: { details: AuditDetails }) {
  if (typeof after !== 'object' || after === null) return null;
  return (
    <RecordSection title={t('audit.why')}>
      <FieldList fields={refusedFields} record={{ ...after }} />
    </RecordSection>
  );
}

/** Ids, routes, hashes and raw values, for auditors and programs. */
function TechnicalDetails({ details }: { details: AuditDetails }) {
  const { command, route, permission, entityId, seq, requestId, idempotencyKey, prevHash, hash, before, after } = details;
  return (
    <details data-technical className="border-t border-hairline pt-4">
      <summary className="w-fit cursor-pointer rounded-control py-0.5 text-2">{t('audit.technical')}</summary>
      <div className="py-3">
        <Details
          of={{
            'audit.field.command': renderCode(command),
            'audit.field.route': renderCode(route),
            'audit.field.permission': renderCode(permission),
            'audit.field.recordId': renderCode(entityId),
            'audit.field.requestId': renderCode(requestId),
            'audit.field.idempotencyKey': renderCode(idempotencyKey),
            'audit.field.seq': renderCode(String(seq)),
            'audit.field.prevHash': renderCode(prevHash),
            'audit.field.hash': renderCode(hash),
            'audit.field.before': renderCode(toJson(before)),
            'audit.field.after': renderCode(toJson(after)),
          }}
        />
      </div>
      <Button onClick={() => void copyText(JSON.stringify(details, null, 2))}>{t('audit.copy')}</Button>
    </details>
  );
}

/** Commands that restore a recorded state, if the resource and the person's permissions allow. */
function useRestores({ id, entity, result, before, after }: AuditDetails): readonly RecordCommand[] {
  const permissionCodes = useStore($codeSet);
  const paths = useStore($permittedPaths);
  const restorableKind = restorableKinds.get(entity);
  const canRestore =
    restorableKind !== undefined &&
    result === 'done' &&
    permissionCodes.has(restorableKind.by) &&
    paths.has(restorableKind.place);
  useEffect(() => {
    if (canRestore) void import('../../commands/app/all.ts');
  }, [canRestore]);
  const ids = [...(after ? [`${id}:after`] : []), ...(before ? [`${id}:before`] : [])];
  const { data } = useQuery(
    {
      queryKey: [entity, 'versions', id],
      queryFn: ({ signal }) => restorableKind?.read(api, ids, { signal }) ?? [],
      enabled: canRestore && ids.length > 0,
    },
    queryClient,
  );
  return useMemo(
    () =>
      canRestore && data
        ? data.map((version) => ({
            id: restorableKind.by,
            targets: [versionTarget(version)],
            label: t(version.id.endsWith(':before') ? 'audit.restore.before' : 'audit.restore.after'),
          }))
        : [],
    [canRestore, data, restorableKind],
  );
}
