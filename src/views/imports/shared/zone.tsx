import { useStore } from '@nanostores/react';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useState, type DragEvent, type ReactNode } from 'react';
import { Link, useSearch } from 'wouter';
import type { ImportKind, ImportRow } from '../../../../api/imports/contract.ts';
import { runCommand } from '../../../commands/app/app.ts';
import { changedBy } from '../../../commands/imports/commands.ts';
import { CommandTrigger } from '../../../commands/ui/controls/command-trigger.tsx';
import { api } from '../../../lib/net/client.ts';
import { t } from '../../../lib/i18n/i18n.ts';
import { loadResourceTexts } from '../../../lib/i18n/boot.ts';
import { createChunk } from '../../../lib/chunks/loader.ts';
import { queryClient, refreshResources } from '../../../lib/net/query.ts';
import { $codeSet } from '../../../lib/session/session.ts';
import { showToast } from '../../../lib/ui/overlay/toasts-store.ts';
import { useLazySheet } from '../../../lib/ui/lazy-sheet.tsx';
import { useChunk } from '../../../lib/chunks/use-chunk.ts';
import { importsAddress } from '../address.ts';

const drawerChunk = createChunk(async () => (await Promise.all([import('../drawer.tsx'), loadResourceTexts()]))[0].ImportsDrawer);

const wordsChunk = createChunk(() => loadResourceTexts().then(() => true));

/** Accepts dropped or pasted files and shows imports in progress. `?imports` opens them. */
export function ImportZone({ kind, children }: { kind: ImportKind; children: ReactNode }) {
  const canImport = useStore($codeSet).has(`${kind}.import`);
  const [isOver, setDragOver] = useState(false);
  const shownImportId = new URLSearchParams(useSearch()).get('imports');
  const Drawer = useLazySheet(drawerChunk, shownImportId !== null, 'imports');
  const { value: hasWords } = useChunk(wordsChunk, true); // a drop works without them
  useEffect(() => {
    if (!canImport) return;
    const onPaste = (event: ClipboardEvent) => startFromPaste(kind, event);
    document.addEventListener('paste', onPaste);
    return () => document.removeEventListener('paste', onPaste);
  }, [kind, canImport]);
  return (
    <div
      data-import-zone
      className="relative flex h-full min-h-0 flex-col"
      onDragOver={(event: DragEvent) => {
        if (!canImport || !event.dataTransfer.types.includes('Files')) return;
        event.preventDefault();
        setDragOver(true);
      }}
      onDragLeave={({ currentTarget, relatedTarget }: DragEvent) => {
        if (!(relatedTarget instanceof Node && currentTarget.contains(relatedTarget))) setDragOver(false);
      }}
      onDrop={(event: DragEvent) => {
        setDragOver(false);
        if (!canImport || event.defaultPrevented || event.dataTransfer.files.length === 0) return;
        event.preventDefault();
        startFromFiles(kind, event.dataTransfer.files);
      }}
    >
      {hasWords && <RunningImports kind={kind} />}
      {children}
      {isOver && hasWords && (
        <div
          data-drop
          className="pointer-events-none absolute inset-0 z-20 flex items-center justify-center border-2 border-dashed border-accent bg-layer-selected text-section font-semibold text-1 opacity-90"
        >
          {t('imports.drop')}
        </div>
      )}
      {shownImportId !== null && Drawer && <Drawer key={shownImportId} kind={kind} id={shownImportId} />}
    </div>
  );
}

/** For the header of a list that can be imported and exported. */
export const ImportTools = ({ kind }: { kind: 'airdrops' | 'points' }) => (
  <>
    <CommandTrigger id={`${kind}.imports`} compact />
    <CommandTrigger id={`${kind}.import`} />
    <CommandTrigger id={`${kind}.export`} />
  </>
);

function startFromFiles(kind: ImportKind, [file, ...otherFiles]: FileList): void {
  if (otherFiles.length > 0) showToast({ kind: 'error', text: t('form.fileOne') });
  else if (file) runCommand({ id: `${kind}.import`, params: { file } }, 'button', []);
}

/** Copied spreadsheet rows or a file, unless a field or dialog is open. */
function startFromPaste(kind: ImportKind, event: ClipboardEvent): void {
  const { target, clipboardData: data } = event;
  const isTyping =
    target instanceof HTMLElement && (target.isContentEditable || /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName));
  if (!data || isTyping || event.defaultPrevented) return;
  if (document.querySelector('[aria-modal="true"]:not(:has([data-imports]))')) return;
  const text = data.getData('text/plain');
  if (data.files.length === 0 && !/[\t\n,;]/.test(text.trim())) return;
  event.preventDefault();
  if (data.files.length > 0) startFromFiles(kind, data.files);
  else runCommand({ id: `${kind}.import`, params: { file: text } }, 'button', []);
}

const pollMs = 1_000;

/** Imports in progress, by anyone. */
function RunningImports({ kind }: { kind: ImportKind }) {
  const { data } = useQuery(
    {
      queryKey: [`${kind}Imports`, 'latest'],
      queryFn: ({ signal }) =>
        api[`${kind}Imports`].list({ sort: 'createdAt', direction: 'desc', filter: {}, cursor: null, limit: 10 }, { signal }),
      refetchInterval: ({ state }) => (runningImports(state.data?.rows).length > 0 ? pollMs : false),
    },
    queryClient,
  );
  const now = runningImports(data?.rows);
  const isRunning = now.length > 0;
  useEffect(() => {
    if (!isRunning) return;
    return () => void refreshResources(changedBy[kind]); // reloads when an import ends
  }, [isRunning, kind]);
  const search = useSearch();
  return now.map(({ id, name, worked, total }) => (
    <div
      key={id}
      role="status"
      className="flex items-center gap-3 border-b border-hairline bg-info-bg px-4 py-1.5 text-body text-info-text"
    >
      <span className="min-w-0 flex-1 truncate">
        {t('imports.running', { name, percent: Math.floor((worked / Math.max(1, total)) * 100) })}
      </span>
      <Link href={importsAddress(search, id)} className="font-medium underline">
        {t('imports.show')}
      </Link>
    </div>
  ));
}

const runningImports = (rows: readonly ImportRow[] = []) => rows.filter(({ state }) => state === 'running');
