import { navigate } from 'wouter/use-browser-location';
import type { CommandId } from '../../../api/names.ts';
import { $batch, remainingRows } from '../../lib/batch.ts';
import { createApi } from '../../lib/net/client.ts';
import { tSpaced } from '../../lib/i18n/cjk-spacing.ts';
import { t } from '../../lib/i18n/i18n.ts';
import { labelText } from '../../lib/i18n/punctuation.ts';
import { switchLocale } from '../../lib/i18n/locale.ts';
import { setDensity, setTheme } from '../../lib/prefs/prefs.ts';
import { toggleSidebar } from '../../lib/prefs/sidebar.ts';
import { writeTabStored } from '../../lib/prefs/storage.ts';
import { providerSignOutKey } from '../../lib/session/sso-way.ts';
import { showPictures } from '../../lib/ui/overlay/lightbox-store.ts';
import { refreshResources } from '../../lib/net/query.ts';
import { $loginEmail } from '../../lib/session/session.ts';
import { $viewContext, $viewContexts, snapshotTargets, findListContext } from '../../lib/scope.ts';
import { isDensity, isTheme } from '../../lib/prefs/theme.ts';
import { $toasts, showToast } from '../../lib/ui/overlay/toasts-store.ts';
import { provideDispatch } from './ready-dispatch.ts';
import { getCurrentContext, signOutLocally } from './context.ts';
import { isBatch } from '../engine/dispatch/batches.ts';
import { createDispatch } from '../engine/dispatch/dispatch.ts';
import type { Dispatch, DispatchOutcome } from '../engine/dispatch/interface.ts';
import { bilingualName } from '../../lib/i18n/name-of.ts';
import type { Invocation } from '../engine/define.ts';
import { resultText } from '../engine/dispatch/result-text.ts';
import { lastRun, lastUndoable, markUndone, ownEntries, type CommandHistoryEntry } from '../engine/dispatch/history.ts';
import type { Host, Notice } from '../engine/host.ts';
import { getOtherLanguage } from '../panel/commands.ts';
import { recordRun, recordNavigation } from './recorder.ts';
import { registry } from './registry.ts';
import { $singleKeys, keysOf, setSingleKeys } from './keymap.ts';
import { askFactor, collectParams, askConfirmation } from './collect.ts';
import { $factorDialog, $keySheet, $palette } from './open-dialogs.ts';

const host: Host = {
  get list() {
    return $viewContext.get()?.controls ?? null;
  },
  here: () => location.pathname + location.search,
  origin: () => location.origin,
  navigate: (path) => navigate(path),
  openRecord: (screenPath, id) => {
    const query = new URLSearchParams(location.pathname === screenPath ? location.search : '');
    const [openedId, shouldReplace] = [query.get('open'), query.has('open')];
    query.set('open', id);
    // Replaces the history entry between records, so that Back leads to the list.
    if (openedId !== id) navigate(`${screenPath}?${query}`, { replace: shouldReplace });
  },
  openOutside: (url) => void window.open(url, '_blank', 'noopener,noreferrer'),
  showPictures,
  copy: (text) => navigator.clipboard.writeText(text),
  openPalette: () => $palette.set({ targets: snapshotTargets() }),
  openKeys: (view = 'sheet') => $keySheet.set(view),
  switchLanguage: () => switchLocale(getOtherLanguage().locale),
  setTheme: (theme) => isTheme(theme) && setTheme(theme),
  setDensity: (density) => isDensity(density) && setDensity(density),
  toggleSidebar,
  toggleSingleKeys: () => {
    setSingleKeys(!$singleKeys.get());
    const what = t($singleKeys.get() ? 'keys.singleOn' : 'keys.singleOff');
    showToast({ kind: 'success', text: t('common.happened', { what }) });
  },
  ownKeys: () => import('./key-prefs.ts'),
  // Waits until the palette or menu is closed.
  print: () => void setTimeout(() => void import('../../lib/print-page.ts').then(({ printPage }) => printPage()), 100),
  showExact: async () => (await import('../../lib/money/exact.ts')).showExact(),
  signOut: async () => {
    // Server first: a token that only this browser forgot would still be valid.
    const answer = await createApi('session.signOut', null)
      .session.signOut()
      .catch(() => null);
    writeTabStored(providerSignOutKey, answer?.providerUrl ?? null);
    signOutLocally();
  },
  undo: async () => {
    const entry = lastUndoable();
    if (entry?.undo) await undoEntry(entry);
    else if (entry?.instead) offerAlternative(entry, entry.instead);
  },
  repeat: async () => {
    const lastEntry = lastRun();
    if (!lastEntry) return;
    const { targets: _, ...again } = lastEntry.invocation;
    await dispatch(again, 'repeat');
  },
  retry: async () => {
    const batch = $batch.get();
    if (!batch || batch.isRunning) return;
    const { command: id, params } = batch;
    await dispatch({ id, targets: remainingRows(batch).map((row) => row.id), ...(params ? { params } : {}) }, 'button');
  },
  openFactor: (dialog) => $factorDialog.set(dialog),
  collect: collectParams,
  confirm: async (request) => {
    const isConfirmed = await askConfirmation(request);
    if (isConfirmed && isBatch(request.command, request.targets)) $palette.set(null);
    return isConfirmed;
  },
  confirmFactor: askFactor,
  notify: ({ kind, of, key, values, field, undo, unseen, requestId, remedy }) => {
    if (undo) dropUndoToasts();
    const toastAction = undo
      ? { label: t('common.undo'), ...shortcutOf('history.undo'), run: () => void undoById(undo) }
      : remedy
        ? { label: t(remedy.label), run: () => void dispatch(remedy.invocation, 'button') }
        : null;
    const message = field ? tSpaced(key, 'label', t(field)) : t(key, values);
    const text = of ? labelText(bilingualName(of), message) : message;
    showToast({
      kind,
      text: unseen ? t('rows.unseen', { text }) : text,
      requestId: requestId ?? null,
      ...(unseen ? { link: { label: t('rows.show'), run: () => void openChangedRecord(unseen) } } : {}),
      ...(toastAction ? { action: toastAction } : {}),
    });
  },
  refresh: refreshResources,
  release: (targets) => {
    const list = findListContext($viewContexts.get());
    const usedIds = new Set(targets.map(({ id }) => id));
    if (list?.checked.length && list.checked.every(({ id }) => usedIds.has(id))) list.controls?.clear();
  },
  reach: async (resources, ids) => {
    const list = findListContext($viewContexts.get())?.controls;
    if (!list?.resource || !resources.includes(list.resource)) return null;
    // React draws rows after they are read.
    for (let attempt = 0; attempt < maxAttempts; attempt++) {
      if (ids.some((id) => list.show?.(id))) return null;
      await new Promise((resolve) => setTimeout(resolve, retryIntervalMs));
    }
    return list.resource;
  },
};

const maxAttempts = 10;
const retryIntervalMs = 16;

async function openChangedRecord({ resource, id }: NonNullable<Notice['unseen']>): Promise<void> {
  const { records } = await import('./all-records.ts');
  const openCommandId = (records as Partial<Record<string, { open?: CommandId }>>)[resource]?.open;
  if (openCommandId) await dispatch({ id: openCommandId, targets: [id] }, 'button');
}

const commandResultText = ({ invocation: { id, targets = [] }, names = [] }: CommandHistoryEntry): string =>
  resultText(id, names, targets.length);

function offerAlternative(entry: CommandHistoryEntry, alternative: Invocation): void {
  dropUndoToasts();
  const alternativeName = bilingualName(alternative.id);
  showToast({
    kind: 'blocked',
    text: t('palette.blocked.cannotUndoBut', { what: bilingualName(entry.invocation.id), instead: alternativeName }),
    action: { label: alternativeName, run: () => void dispatch(alternative, 'button') },
  });
}

const dropUndoToasts = () => $toasts.set($toasts.get().filter(({ action }) => !action));

const shortcutOf = (id: 'history.undo') => {
  const [keys] = keysOf(id);
  return keys ? { keys } : {};
};

const runDispatch = createDispatch({
  registry,
  loadAll: () => import('./all.ts'),
  host,
  loaders: () => import('./loaders.ts').then(({ loaders }) => loaders),
  context: getCurrentContext,
  freeze: snapshotTargets,
  person: () => $loginEmail.get(),
  apiFor: createApi,
  changedText: async (...change) => (await import('./changed-text.ts')).changedText(...change),
  watch: (startedRun) => {
    void recordRun(startedRun);
    runningCount++;
    void startedRun.outcome.then((outcome) => {
      runningCount--;
      const { invocation, source } = startedRun;
      const failed = outcome.status === 'done' && outcome.failed;
      dispatchEvent(new CustomEvent('panel-command', { detail: { id: invocation.id, source, status: outcome.status, failed } }));
    });
  },
});

let runningCount = 0;
export const isIdle = (): boolean => runningCount === 0;

export const dispatch: Dispatch = (invocation, source, frozenTargets = snapshotTargets()) =>
  runDispatch(invocation, source, frozenTargets);

/** The server refuses if the records have changed since. */
export async function undoEntry(entry: CommandHistoryEntry): Promise<DispatchOutcome | null> {
  if (!entry.undo || entry.undone) return null;
  dropUndoToasts();
  const outcome = await dispatch(entry.undo, 'undo');
  if (outcome.status !== 'done') return outcome;
  markUndone(entry, outcome.undo?.targets);
  if (!outcome.failed) host.notify({ kind: 'success', key: 'common.undone', values: { what: commandResultText(entry) } });
  return outcome;
}

async function undoById(id: string): Promise<void> {
  const entry = ownEntries().find((entry) => entry.id === id);
  if (!entry || !(await undoEntry(entry))) host.notify({ kind: 'blocked', key: 'palette.blocked.nothingToUndo' });
}

recordNavigation();
provideDispatch(dispatch);
