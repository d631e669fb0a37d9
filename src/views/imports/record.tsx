import { useStore } from '@nanostores/react';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useMemo } from 'react';
import { Link } from 'wouter';
import type { ImportDetails, ImportKind, ImportQuestion, ImportRow } from '../../../api/imports/contract.ts';
import { changedBy, importTargets } from '../../commands/imports/commands.ts';
import { api } from '../../lib/net/client.ts';
import { errorText } from '../../lib/net/errors.ts';
import { formatTime, groupDigits } from '../../lib/format.ts';
import { t } from '../../lib/i18n/i18n.ts';
import { queryClient, refreshResources } from '../../lib/net/query.ts';
import { $codeSet } from '../../lib/session/session.ts';
import { useOpenRecord } from '../../lib/ui/record/open-record.ts';
import { Skeleton } from '../../lib/ui/skeleton.tsx';
import { RecordView } from '../layout/record-view.tsx';
import { importsAddress } from './address.ts';
import { ColumnChoice } from './columns.tsx';
import { countsText, ImportStatus, Totals, ImportWarning } from './parts.tsx';
import { delimiterName, ReadingQuestions, ReadingChoice } from './reading.tsx';
import { importDraftKey, FileRows, RepairRows } from './rows.tsx';
import { detailsKey, useRecheck } from './use-recheck.ts';

const pollMs = 500;

export function ImportRecord({ kind, id, onClose }: { kind: ImportKind; id: string; onClose: () => void }) {
  const routes = api[`${kind}Imports`];
  const canRead = useStore($codeSet).has(`${kind}.import`);
  const rowQuery = useQuery(
    {
      queryKey: [`${kind}Imports`, 'one', id],
      queryFn: async ({ signal }) => (await routes.many({ ids: [id] }, { signal }))[0] ?? null,
      refetchInterval: ({ state }) => (state.data?.state === 'running' ? pollMs : false),
    },
    queryClient,
  );
  const row = rowQuery.data ?? undefined;
  // File content changes with the state, not with the progress.
  const detailsQuery = useQuery(
    {
      queryKey: detailsKey(kind, id, row?.version),
      queryFn: ({ signal }) => routes.details({ id }, { signal }),
      enabled: canRead && row !== undefined,
      placeholderData: (previousDetails) => previousDetails,
    },
    queryClient,
  );
  useOpenRecord(row, importTargets[kind], false);
  const isOver = row !== undefined && row.state !== 'running' && row.state !== 'checked';
  useEffect(() => {
    if (isOver) void refreshResources(changedBy[kind]);
  }, [isOver, kind]);

  const targets = useMemo(() => (row ? [importTargets[kind](row)] : []), [kind, row]);
  const error = rowQuery.error ?? detailsQuery.error;
  return (
    <RecordView
      wide="table"
      onClose={onClose}
      title={row?.name ?? t(`imports.title.${kind}`)}
      state={<ImportOrigin row={row} />}
      targets={targets}
      {...(row && commandsOf(kind, row))}
    >
      <div data-imports className="flex flex-col gap-5">
        {rowQuery.isPending && <Skeleton lines={5} />}
        {error && <p role="alert">{errorText(error)}</p>}
        {rowQuery.data === null && <p role="status">{t('imports.gone')}</p>}
        {row && <ImportState row={row} />}
        {row && detailsQuery.data && (
          <ImportContents kind={kind} details={{ ...detailsQuery.data, row }} version={detailsQuery.data.row.version} />
        )}
      </div>
    </RecordView>
  );
}

const ImportOrigin = ({ row }: { row: ImportRow | undefined }) => (
  <span className="flex flex-wrap items-center gap-x-2 gap-y-1 pt-1">
    {row && (
      <>
        <ImportStatus row={row} />
        <span>{t(`imports.encoding.${row.encoding}`)}</span>
        <span>{delimiterName(row.delimiter)}</span>
        <span>{t('imports.by', { by: row.by, at: formatTime(row.startedAt ?? row.createdAt) })}</span>
      </>
    )}
    <Link href={importsAddress(location.search, 'all')} className="ms-auto underline hover:text-1">
      {t('imports.all')}
    </Link>
  </span>
);

function commandsOf(kind: ImportKind, { state, good, bad, worked, imported }: ImportRow) {
  const hasInvalidRows = state !== 'running' && (state === 'checked' ? bad : worked - imported) > 0;
  const startLabel = good > 0 ? t('imports.startCount', { n: good, count: groupDigits(good) }) : t('imports.act.start');
  const cancelCommand = { id: `${kind}.cancelImport`, label: t('imports.act.cancel') } as const;
  const invalidRowsCommand = { id: `${kind}.badRows`, label: t('imports.act.badRows') } as const;
  const undoCommand = { id: `${kind}.undoImport`, label: t('imports.act.undo') } as const;
  return {
    primary:
      state === 'checked'
        ? ({ id: `${kind}.startImport`, label: startLabel } as const)
        : (state === 'canceled' || state === 'failed') &&
          ({ id: `${kind}.resumeImport`, label: t('imports.act.resume') } as const),
    commands: [
      hasInvalidRows && invalidRowsCommand,
      (state === 'checked' || state === 'running') && cancelCommand,
      state !== 'checked' && state !== 'undone' && undoCommand,
    ],
  };
}

function ImportState({ row }: { row: ImportRow }) {
  const { state, total, worked, imported, earlier } = row;
  return (
    <section className="flex flex-col gap-2">
      <p data-counts role="status" className="text-label font-medium">
        {state === 'running'
          ? t('imports.progress', { n: total, worked: groupDigits(worked), total: groupDigits(total) })
          : countsText(row)}
      </p>
      {(state === 'running' || state === 'canceled' || state === 'failed') && (
        <div
          role="progressbar"
          aria-label={row.name}
          aria-valuemin={0}
          aria-valuemax={total}
          aria-valuenow={worked}
          className="h-1.5 overflow-hidden rounded-full bg-neutral-bg"
        >
          <div className="h-full bg-accent" style={{ width: `${(worked / Math.max(1, total)) * 100}%` }} />
        </div>
      )}
      {state === 'running' && (
        <p className="text-meta text-2">
          {t('imports.allIn', { n: imported, count: groupDigits(imported) })} · {t('imports.background')}
        </p>
      )}
      {state === 'failed' && <ImportWarning>{t('imports.failed')}</ImportWarning>}
      {state === 'checked' && earlier && (
        <ImportWarning>
          {t('imports.tellEarlier', {
            n: earlier.imported,
            by: earlier.by,
            at: formatTime(earlier.at),
            count: groupDigits(earlier.imported),
          })}{' '}
          <Link href={importsAddress(location.search, earlier.id)} className="font-medium underline">
            {t('imports.show')}
          </Link>
        </ImportWarning>
      )}
    </section>
  );
}

const isAboutRows = (question: ImportQuestion) => ['numbers', 'zone', 'shortRows', 'joinedRows'].includes(question);

interface ContentsProps {
  kind: ImportKind;
  /** With the live row, which may be newer than the rest. */
  details: ImportDetails;
  /** Row version of the details. */
  version: number;
}

function ImportContents({ kind, details, version }: ContentsProps) {
  const { row, uncertain, first, badRows, repaired } = details;
  const recheck = useRecheck(kind, details, version);
  const invalidCount = row.state === 'checked' ? row.bad : row.worked - row.imported;
  const moreNote = invalidCount > badRows.length && t('imports.badMore', { count: badRows.length });
  if (row.state !== 'checked')
    return (
      badRows.length > 0 && <FileRows kind={kind} details={details} rows={badRows} title={t('imports.badRows')} note={moreNote} />
    );
  return (
    <>
      <ReadingQuestions details={details} recheck={recheck} />
      {row.good > 0 && <Totals kind={kind} row={row} />}
      <ReadingChoice kind={kind} details={details} recheck={recheck} />
      <ColumnChoice kind={kind} details={details} recheck={recheck} />
      {row.questions.some(isAboutRows) && (
        <FileRows kind={kind} details={details} rows={uncertain} title={t('imports.uncertain')} isWhole />
      )}
      {badRows.length > 0 && (
        <RepairRows
          key={importDraftKey(details)}
          kind={kind}
          details={details}
          rows={badRows}
          title={t('imports.badRows')}
          note={moreNote}
          recheck={recheck}
        />
      )}
      {repaired.length > 0 && (
        <FileRows
          kind={kind}
          details={details}
          rows={repaired}
          title={t('imports.repaired')}
          onUndo={(line) => void recheck.editRows([{ line, texts: null }])}
        />
      )}
      <FileRows kind={kind} details={details} rows={first} title={t('imports.first')} />
    </>
  );
}
