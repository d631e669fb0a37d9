import { feedbackNames } from '../../../api/feedback/names.ts';
import { addNames } from '../../lib/i18n/name-of.ts';
import { $frame, type Target } from '../../lib/scope.ts';
import { opening } from '../engine/crud.ts';
import { call, defineCommand, many, no, none, one, type Done, only, versioned } from '../engine/define.ts';
import { flag, multiline, params } from '../engine/fields.ts';
import { targetOf } from '../engine/resource.ts';
import { bringBack, restoreEach } from '../engine/restore.ts';
import { recorded } from './recorded.ts';

addNames(feedbackNames);

const shown = 60;

export const feedbackTarget = targetOf('feedback', ({ email, content }) => {
  const words = content.replaceAll(/\s+/g, ' ');
  return `${email} · ${words.length > shown ? `${words.slice(0, shown)}…` : words}`;
});

const place = '/feedback';
const stale = ['feedback'];

type Targets = readonly Target<'feedback'>[];

const untreated = (targets: Targets) => targets.filter(({ row }) => !row.processed);

export const feedback = [
  defineCommand({
    id: 'feedback.triage',
    permission: '/feedback',
    icon: 'layers',
    place,
    target: none,
    params: null,
    danger: 'none',
    passing: true,
    keys: ['t'],
    when: ({ frame }) => frame?.reading !== true || no('feedback.blocked.reading'),
    run: ({ ui }) => ui.navigate('/feedback?triage=on'),
  }),
  defineCommand({
    id: 'feedback.process',
    permission: 'feedback.process',
    icon: 'square-check',
    place,
    target: many('feedback', { max: 200, batches: true }),
    params: null,
    when: ({ targets }) => untreated(targets).length > 0 || no('feedback.blocked.processed'),
    danger: 'reversible',
    confirm: true,
    keys: ['p'],
    run: ({ api, targets }) => api.feedback.process({ items: versioned(untreated(targets)) }),
    done: ({ done, failed }): Done => ({ stale, failed, undo: call('feedback.reopen', { targets: versioned(done) }) }),
  }),
  defineCommand({
    // Triage by one key asks nothing, because it can be undone.
    id: 'feedback.processNext',
    permission: 'feedback.process',
    icon: 'list-checks',
    place,
    target: one('feedback'),
    params: null,
    when: ({ targets, frame }) =>
      frame?.reading !== true
        ? no('feedback.blocked.notReading')
        : untreated(targets).length > 0 || no('feedback.blocked.processed'),
    danger: 'reversible',
    keys: ['d'],
    run: async ({ api, ui, targets }) => {
      const result = await api.feedback.process({ items: versioned(targets) });
      // The person may have moved on to another entry meanwhile.
      const { reading, cursor } = $frame.get() ?? {};
      if (reading && cursor?.id === only(targets).id) ui.list?.move(1);
      return result;
    },
    done: ({ done, failed }): Done => ({ stale, failed, undo: call('feedback.reopen', { targets: versioned(done) }) }),
  }),
  defineCommand({
    id: 'feedback.reopen',
    permission: 'feedback.reopen',
    icon: 'undo-2',
    place,
    target: many('feedback', { max: 200, batches: true }),
    params: null,
    when: ({ targets }) => targets.some(({ row }) => row.processed) || no('feedback.blocked.untreated'),
    danger: 'reversible',
    confirm: true,
    keys: ['u'],
    run: ({ api, targets }) => api.feedback.reopen({ items: versioned(targets.filter(({ row }) => row.processed)) }),
    done: ({ done, failed }): Done => ({ stale, failed, undo: call('feedback.process', { targets: versioned(done) }) }),
  }),
  defineCommand({
    id: 'feedback.reply',
    permission: 'feedback.reply',
    icon: 'send',
    place,
    target: one('feedback'),
    params: params(
      () => import('../../../api/feedback/contract.ts').then(({ replyFields }) => replyFields),
      {
        content: multiline('feedback.field.reply'),
        processed: flag('feedback.field.status', 'feedback.markProcessed'),
      },
      () => ({ processed: true }),
    ),
    // A sent mail can't be recalled.
    danger: 'none',
    keys: ['m'],
    run: ({ api, targets, params: values }) => {
      const { id, version } = only(targets);
      return api.feedback.reply({ ...values, id, version });
    },
    done: (): Done => ({ stale, toast: { key: 'common.sent' } }),
  }),
  defineCommand({
    id: 'feedback.delete',
    permission: 'feedback.delete',
    icon: 'trash-2',
    place,
    target: many('feedback', { max: 200, batches: true }),
    params: null,
    danger: 'reversible',
    confirm: true,
    keys: ['#', 'delete'],
    run: ({ api, targets }) => api.feedback.remove({ items: versioned(targets) }),
    done: ({ done, failed }): Done => ({ stale, failed, undo: bringBack('feedback.restore', 'feedback', done) }),
  }),
  defineCommand({
    id: 'feedback.restore',
    permission: 'feedback.restore',
    icon: 'history',
    place,
    target: many('version', { max: 200, batches: true }),
    params: null,
    when: ({ targets }) => {
      if (targets.some(({ row }) => row.entity !== 'feedback')) return no('audit.blocked.otherRecord');
      return targets.every(({ row }) => row.current === null) || no('feedback.blocked.there');
    },
    danger: 'reversible',
    confirm: true,
    changes: ({ targets: [target] }) => ({ fields: recorded.feedback, before: null, after: target?.row.record }),
    run: ({ api, targets }) => restoreEach(targets, api.feedback.restore),
    done: ({ done, failed }): Done => ({
      stale: ['feedback', 'audit'],
      failed,
      undo: call('feedback.delete', { targets: versioned(done.map(({ row }) => row)) }),
    }),
  }),
  opening('feedback.open', 'feedback', place),
  defineCommand({
    id: 'feedback.pictures',
    permission: '/feedback',
    icon: 'image',
    place,
    target: one('feedback'),
    params: null,
    danger: 'none',
    passing: true,
    keys: ['i'],
    when: ({ targets }) => only(targets).row.pictures.length > 0 || no('feedback.blocked.noPicture'),
    run: ({ ui, targets }) => ui.showPictures(only(targets).row.pictures),
  }),
];
