import { qaNames } from '../../../api/qa/names.ts';
import { addNames } from '../../lib/i18n/name-of.ts';
import { $expert, showExpert } from '../../lib/prefs/prefs.ts';
import { globalCommand, defineCommand, blockedBecause, type CommandResult } from '../engine/define.ts';
import { paramSpec, pickField } from '../engine/fields.ts';
import { $recorded, $recording, recordStep } from './recording.ts';

addNames(qaNames);

/** Records keys, mouse and palette as a Playwright spec (e2e/README.md). */
export const qa = [
  defineCommand({
    id: 'qa.toggle',
    ...globalCommand,
    icon: 'list-checks',
    params: null,
    run: () => showExpert(!$expert.get()),
    done: (isOn): CommandResult => ({ toast: { key: isOn ? 'qa.on' : 'qa.off' } }),
  }),
  defineCommand({
    id: 'qa.record',
    ...globalCommand,
    icon: 'list-checks',
    params: null,
    expert: true,
    when: () => $recording.get() === null || blockedBecause('qa.running'),
    run: () => $recording.set({ path: typeof location === 'undefined' ? '/' : location.pathname, steps: [] }),
    done: (): CommandResult => ({ toast: { key: 'qa.started' } }),
  }),
  defineCommand({
    id: 'qa.expect',
    ...globalCommand,
    icon: 'list-checks',
    expert: true,
    params: paramSpec(() => import('./schemas.ts').then(({ seenSchema }) => seenSchema), {
      seen: pickField('qa.seen', async () => (await import('./visible-texts.ts')).visibleTextOptions()),
    }),
    when: () => $recording.get() !== null || blockedBecause('qa.notRunning'),
    run: ({ params: { seen } }) => {
      recordStep({
        id: 'qa.expect',
        permission: 'anyone',
        confirms: false,
        targets: [],
        params: { seen },
        unsaid: [],
        refused: null,
        ids: [],
      });
      return seen.slice(seen.indexOf(':') + 1);
    },
    done: (text): CommandResult => ({ toast: { key: 'qa.expected', values: { text } } }),
  }),
  defineCommand({
    id: 'qa.stopRecording',
    ...globalCommand,
    icon: 'square-x',
    params: null,
    expert: true,
    when: () => $recording.get() !== null || blockedBecause('qa.notRunning'),
    run: async () => {
      const { specText } = await import('./recorded-spec.ts');
      const recording = $recording.get();
      if (!recording) return null;
      const text = specText(recording);
      $recorded.set({ text, count: recording.steps.length });
      $recording.set(null);
      return text;
    },
  }),
];
