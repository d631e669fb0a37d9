import type { ImportKind, ImportRow } from '../../../api/imports/contract.ts';
import type { Api } from '../../lib/net/client.ts';
import { formatTime, groupDigits } from '../../lib/format.ts';
import { t } from '../../lib/i18n/i18n.ts';
import { invocation, defineCommand, blockedBecause, noTarget, oneTarget, type CommandResult } from '../engine/define.ts';
import { paramSpec } from '../engine/fields.ts';
import { addressBeside, targetOf } from '../engine/resource.ts';

const nameOf = ({ name }: ImportRow) => name;

export const importTargets = {
  airdrops: targetOf('airdropsImports', nameOf),
  points: targetOf('pointsImports', nameOf),
  teams: targetOf('teamsImports', nameOf),
  draws: targetOf('drawsImports', nameOf),
} as const;

const screenPaths = {
  points: '/points',
  airdrops: '/NFTAirdrop',
  teams: '/statistics/datacaptain',
  draws: '/statistics/data0penBox',
} as const;
export const changedBy: Readonly<Record<ImportKind, readonly string[]>> = {
  airdrops: ['airdrops'],
  points: ['points', 'balances'],
  teams: ['teams'],
  draws: ['draws'],
};
const loadParamsSchema = () => import('../../../api/imports/contract.ts').then(({ importParams }) => importParams);

const files = () => import('./files.ts');

const importAddress = (kind: ImportKind, id: string): string => addressBeside(screenPaths[kind], 'imports', id);

const importCommands = (kind: ImportKind) => {
  const screenPath = screenPaths[kind];
  const imports = `${kind}Imports` as const;
  const permission = `${kind}.import` as const;
  const target = oneTarget(imports);
  const routes = (api: Api) => api[imports];
  const stale = [imports, ...changedBy[kind]];
  const undo = (row: ImportRow) => invocation(`${kind}.undoImport`, { targets: [row.id] });
  const commonFields = { permission, place: screenPath, target, params: null } as const;
  const toVersion = ({ id, version }: { id: string; version: number }) => ({ id, version });
  const requireTarget = <T>([firstTarget]: readonly T[]): T => {
    if (firstTarget === undefined) throw new Error('this runs on one import');
    return firstTarget;
  };

  return [
    defineCommand({
      id: permission,
      permission,
      icon: 'arrow-up-from-line',
      place: screenPath,
      target: noTarget,
      params: paramSpec(loadParamsSchema, {
        file: { as: 'file', label: 'imports.field.file', says: 'imports.takes', accept: '.csv,.tsv,.txt,text/csv,text/plain' },
      }),
      danger: 'none',
      keys: ['i'],
      run: async ({ api, ui, params: { file: providedFile } }) => {
        const uploadedFile =
          typeof providedFile === 'string' ? new File([providedFile], t('imports.pasted'), { type: 'text/csv' }) : providedFile;
        const details = await routes(api).add({ file: uploadedFile });
        ui.navigate(importAddress(kind, details.row.id));
        return details;
      },
      done: (): CommandResult => ({ toast: null, stale: [imports] }),
    }),
    defineCommand({
      ...commonFields,
      id: `${kind}.startImport`,
      icon: 'square-check',
      when: ({ targets }) => {
        const { state, good, questions } = requireTarget(targets).row;
        if (state !== 'checked') return blockedBecause('imports.blocked.started');
        return questions.length > 0
          ? blockedBecause('imports.blocked.questions')
          : good > 0 || blockedBecause('imports.blocked.nothingGood');
      },
      danger: 'reversible',
      confirm: true,
      consequences: async ({ targets }) => {
        const { good, bad, total, totals, earlier } = requireTarget(targets).row;
        const { amountOf } = await files();
        return [
          t('imports.goesIn', { n: total, good: groupDigits(good), total: groupDigits(total) }),
          ...(totals.largest
            ? [
                t('imports.sums', {
                  label: t(`imports.total.added.${kind}`),
                  sum: amountOf(kind, totals.added),
                  largest: amountOf(kind, totals.largest.amount),
                  line: groupDigits(totals.largest.line),
                }),
              ]
            : []),
          ...(totals.removed === '0' ? [] : [t('imports.removes', { sum: amountOf(kind, totals.removed) })]),
          ...(totals.duplicates > 0
            ? [
                t(kind === 'teams' ? 'imports.repeatsCaptain' : 'imports.repeats', {
                  n: totals.duplicates,
                  count: groupDigits(totals.duplicates),
                }),
              ]
            : []),
          ...(bad > 0 ? [t('imports.staysOut', { n: bad, bad: groupDigits(bad) })] : []),
          ...(earlier
            ? [
                t('imports.again', {
                  n: earlier.imported,
                  by: earlier.by,
                  at: formatTime(earlier.at),
                  count: groupDigits(earlier.imported),
                }),
              ]
            : []),
        ];
      },
      run: ({ api, targets }) => {
        const { id, version, row } = requireTarget(targets);
        return routes(api).start({ id, version, again: row.earlier?.id ?? null });
      },
      done: (row): CommandResult => ({ stale, undo: undo(row), toast: { key: 'imports.started' } }),
    }),
    defineCommand({
      ...commonFields,
      id: `${kind}.cancelImport`,
      icon: 'square-x',
      when: ({ targets }) =>
        ['checked', 'running'].includes(requireTarget(targets).row.state) || blockedBecause('imports.blocked.notRunning'),
      danger: 'reversible',
      voids: true,
      run: ({ api, targets }) => routes(api).cancel(toVersion(requireTarget(targets))),
      done: ({ row }): CommandResult => ({
        stale,
        ...(row && { undo: invocation(`${kind}.resumeImport`, { targets: [row.id] }) }),
      }),
    }),
    defineCommand({
      ...commonFields,
      id: `${kind}.resumeImport`,
      icon: 'repeat',
      when: ({ targets }) =>
        ['canceled', 'failed'].includes(requireTarget(targets).row.state) || blockedBecause('imports.blocked.notStopped'),
      danger: 'reversible',
      run: ({ api, targets }) => routes(api).resume(toVersion(requireTarget(targets))),
      done: (row): CommandResult => ({ stale, undo: invocation(`${kind}.cancelImport`, { targets: [row.id] }) }),
    }),
    defineCommand({
      ...commonFields,
      id: `${kind}.undoImport`,
      permission: `${kind}.undoImport`,
      icon: 'undo-2',
      when: ({ targets }) => {
        const { state } = requireTarget(targets).row;
        return state === 'checked'
          ? blockedBecause('imports.blocked.notStarted')
          : state !== 'undone' || blockedBecause('imports.blocked.undone');
      },
      danger: 'irreversible',
      run: ({ api, targets }) => routes(api).undo(toVersion(requireTarget(targets))),
      done: (): CommandResult => ({ stale }),
    }),
    defineCommand({
      ...commonFields,
      id: `${kind}.badRows`,
      icon: 'download',
      when: ({ targets }) => {
        const { state, bad, worked, imported } = requireTarget(targets).row;
        return (state === 'checked' ? bad : worked - imported) > 0 || blockedBecause('imports.blocked.nothingBad');
      },
      danger: 'none',
      run: async ({ api, targets, signal }) => (await files()).downloadInvalidRows(api, kind, requireTarget(targets).row, signal),
      done: ({ rows }): CommandResult => ({ toast: { key: 'imports.badSaved', values: { count: rows } } }),
    }),
    defineCommand({
      id: `${kind}.imports`,
      permission: screenPath,
      icon: 'history',
      place: screenPath,
      target: noTarget,
      params: null,
      danger: 'none',
      excludeFromHistory: true,
      keys: ['shift+i'],
      run: ({ ui }) => ui.navigate(importAddress(kind, 'all')),
    }),
    defineCommand({
      id: `${kind}.importTemplate`,
      permission,
      icon: 'arrow-down-to-line',
      place: screenPath,
      target: noTarget,
      params: null,
      danger: 'none',
      run: async () => (await files()).saveTemplate(kind),
      done: (): CommandResult => ({ toast: null }),
    }),
  ];
};

export const pointsImports = importCommands('points');
export const airdropsImports = importCommands('airdrops');
export const teamsImports = importCommands('teams');
export const drawsImports = importCommands('draws');
