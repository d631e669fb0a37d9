import { feedbackNames } from '../../../api/feedback/names.ts';
import { addNames } from '../../lib/i18n/name-of.ts';
import { $viewContext, type Target } from '../../lib/scope.ts';
import { binCommand, openCommand } from '../engine/crud.ts';
import {
  invocation,
  defineCommand,
  manyTargets,
  blockedBecause,
  noTarget,
  oneTarget,
  type CommandResult,
  firstOf,
  toItemVersions,
} from '../engine/define.ts';
import { flagField, multilineField, paramSpec } from '../engine/fields.ts';
import { targetOf } from '../engine/resource.ts';
import { restoreInvocation, restoreItems } from '../engine/restore.ts';
import { recorded } from './recorded.ts';

addNames(feedbackNames);

const maxNameLength = 60;

export const feedbackTarget = targetOf('feedback', ({ email, content }) => {
  const contentText = content.replaceAll(/\s+/g, ' ');
  return `${email} · ${contentText.length > maxNameLength ? `${contentText.slice(0, maxNameLength).trimEnd()}…` : contentText}`;
});

const screenPath = '/feedback';
const staleQueries = ['feedback'];

type Targets = readonly Target<'feedback'>[];

const filterUnprocessed = (targets: Targets) => targets.filter(({ row }) => !row.processed);

let confirmedTriage: symbol | null = null;

export const feedback = [
  defineCommand({
    id: 'feedback.triage',
    permission: 'feedback.process',
    icon: 'layers',
    place: screenPath,
    target: noTarget,
    params: null,
    danger: 'none',
    excludeFromHistory: true,
    keys: ['t'],
    when: ({ viewContext }) => viewContext?.reading !== true || blockedBecause('feedback.blocked.reading'),
    run: ({ ui }) => ui.navigate('/feedback?triage=on'),
  }),
  defineCommand({
    id: 'feedback.process',
    permission: 'feedback.process',
    icon: 'square-check',
    place: screenPath,
    target: manyTargets('feedback', { max: 200, batches: true }),
    params: null,
    when: ({ targets }) => filterUnprocessed(targets).length > 0 || blockedBecause('feedback.blocked.processed'),
    danger: 'reversible',
    confirm: true,
    keys: ['p'],
    run: ({ api, targets }) => api.feedback.process({ items: toItemVersions(filterUnprocessed(targets)) }),
    done: ({ done, failed }): CommandResult => ({
      stale: staleQueries,
      failed,
      undo: invocation('feedback.reopen', { targets: toItemVersions(done) }),
    }),
  }),
  defineCommand({
    id: 'feedback.processNext',
    permission: 'feedback.process',
    icon: 'list-checks',
    place: screenPath,
    target: oneTarget('feedback'),
    params: null,
    when: ({ targets, viewContext }) =>
      viewContext?.reading !== true
        ? blockedBecause('feedback.blocked.notReading')
        : filterUnprocessed(targets).length > 0 || blockedBecause('feedback.blocked.processed'),
    danger: 'reversible',
    confirm: true,
    // Asks once per triage (design §8).
    isPreconfirmed: () => confirmedTriage !== null && $viewContext.get()?.key === confirmedTriage,
    keys: ['d'],
    run: async ({ api, ui, targets }) => {
      confirmedTriage = $viewContext.get()?.key ?? null;
      const result = await api.feedback.process({ items: toItemVersions(targets) });
      // The person may have moved on to another entry meanwhile.
      const { reading, cursor } = $viewContext.get() ?? {};
      if (reading && cursor?.id === firstOf(targets).id) ui.list?.move(1);
      return result;
    },
    done: ({ done, failed }): CommandResult => ({
      stale: staleQueries,
      failed,
      undo: invocation('feedback.reopen', { targets: toItemVersions(done) }),
    }),
  }),
  defineCommand({
    id: 'feedback.reopen',
    permission: 'feedback.reopen',
    icon: 'undo-2',
    place: screenPath,
    target: manyTargets('feedback', { max: 200, batches: true }),
    params: null,
    when: ({ targets }) => targets.some(({ row }) => row.processed) || blockedBecause('feedback.blocked.untreated'),
    danger: 'reversible',
    confirm: true,
    keys: ['u'],
    run: ({ api, targets }) => api.feedback.reopen({ items: toItemVersions(targets.filter(({ row }) => row.processed)) }),
    done: ({ done, failed }): CommandResult => ({
      stale: staleQueries,
      failed,
      undo: invocation('feedback.process', { targets: toItemVersions(done) }),
    }),
  }),
  defineCommand({
    id: 'feedback.reply',
    permission: 'feedback.reply',
    icon: 'send',
    place: screenPath,
    target: oneTarget('feedback'),
    params: paramSpec(
      () => import('../../../api/feedback/contract.ts').then(({ replyFields }) => replyFields),
      {
        content: multilineField('feedback.field.reply'),
        processed: flagField('feedback.field.status', 'feedback.markProcessed'),
      },
      () => ({ processed: true }),
    ),
    // A sent mail can't be recalled.
    danger: 'none',
    keys: ['m'],
    run: ({ api, targets, params: values }) => {
      const { id, version } = firstOf(targets);
      return api.feedback.reply({ ...values, id, version });
    },
    done: (): CommandResult => ({ stale: staleQueries, toast: { key: 'common.sent' } }),
  }),
  defineCommand({
    id: 'feedback.delete',
    permission: 'feedback.delete',
    icon: 'trash-2',
    place: screenPath,
    target: manyTargets('feedback', { max: 200, batches: true }),
    params: null,
    danger: 'reversible',
    confirm: true,
    keys: ['#', 'delete'],
    run: ({ api, targets }) => api.feedback.remove({ items: toItemVersions(targets) }),
    done: ({ done, failed }): CommandResult => ({
      stale: staleQueries,
      failed,
      undo: restoreInvocation('feedback.restore', 'feedback', done),
    }),
  }),
  binCommand('feedback.bin', screenPath),
  defineCommand({
    id: 'feedback.restore',
    permission: 'feedback.restore',
    icon: 'history',
    place: screenPath,
    target: manyTargets('version', { max: 200, batches: true }),
    params: null,
    when: ({ targets }) => {
      if (targets.some(({ row }) => row.entity !== 'feedback')) return blockedBecause('audit.blocked.otherRecord');
      return targets.every(({ row }) => row.current === null) || blockedBecause('feedback.blocked.there');
    },
    danger: 'reversible',
    confirm: true,
    changes: ({ targets: [target] }) => ({ fields: recorded.feedback, before: null, after: target?.row.record }),
    run: ({ api, targets }) => restoreItems(targets, api.feedback.restore),
    done: ({ done, failed }): CommandResult => ({
      stale: ['feedback', 'audit'],
      failed,
      undo: invocation('feedback.delete', { targets: toItemVersions(done.map(({ row }) => row)) }),
    }),
  }),
  openCommand('feedback.open', 'feedback', screenPath),
  defineCommand({
    id: 'feedback.pictures',
    permission: '/feedback',
    icon: 'image',
    place: screenPath,
    target: oneTarget('feedback'),
    params: null,
    danger: 'none',
    excludeFromHistory: true,
    keys: ['i'],
    when: ({ targets }) => firstOf(targets).row.pictures.length > 0 || blockedBecause('feedback.blocked.noPicture'),
    run: ({ ui, targets }) => ui.showPictures(firstOf(targets).row.pictures),
  }),
];
