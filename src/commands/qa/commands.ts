import { qaNames } from '../../../api/qa/names.ts';
import { addNames } from '../../lib/i18n/name-of.ts';
import { $expert, showExpert } from '../../lib/prefs/prefs.ts';
import { anywhere, defineCommand, no, type Done } from '../engine/define.ts';
import { params, pick } from '../engine/fields.ts';
import { $recorded, $recording, keepStep } from './recording.ts';

addNames(qaNames);

/** Records keys, mouse and palette as a Playwright spec (e2e/README.md). */
export const qa = [
  defineCommand({
    id: 'qa.toggle',
    ...anywhere,
    icon: 'list-checks',
    params: null,
    run: () => showExpert(!$expert.get()),
    done: (isOn): Done => ({ toast: { key: isOn ? 'qa.on' : 'qa.off' } }),
  }),
  defineCommand({
    id: 'qa.record',
    ...anywhere,
    icon: 'list-checks',
    params: null,
    expert: true,
    when: () => $recording.get() === null || no('qa.running'),
    run: () => $recording.set({ path: typeof location === 'undefined' ? '/' : location.pathname, steps: [] }),
    done: (): Done => ({ toast: { key: 'qa.started' } }),
  }),
  defineCommand({
    id: 'qa.expect',
    ...anywhere,
    icon: 'list-checks',
    expert: true,
    params: params(() => import('./schemas.ts').then(({ seenSchema }) => seenSchema), {
      seen: pick('qa.seen', async () => (await import('./visible-texts.ts')).seenNow()),
    }),
    when: () => $recording.get() !== null || no('qa.notRunning'),
    run: ({ params: { seen } }) => {
      keepStep({
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
    done: (text): Done => ({ toast: { key: 'qa.expected', values: { text } } }),
  }),
  defineCommand({
    id: 'qa.stopRecording',
    ...anywhere,
    icon: 'square-x',
    params: null,
    expert: true,
    when: () => $recording.get() !== null || no('qa.notRunning'),
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
