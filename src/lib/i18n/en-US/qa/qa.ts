import { countText } from '../../plural.ts';

export const qa = {
  on: 'QA and expert features are shown',
  off: 'QA and expert features are hidden',
  started: 'Recording. When you’re done, run “Stop recording and show script”.',
  running: 'Already recording',
  notRunning: 'Nothing is being recorded',
  seen: 'Expected text',
  expected: ({ text }: { text: string }) => `Recorded. The script will look for “${text}”.`,
  title: 'Recorded script',
  intro: ({ count }: { count: number }) =>
    `${countText(count, 'step')}. The script imports @admin-panel/qa. Save it in a project with that package to run it against any deployed panel.`,
  nothing: 'No commands were run while recording.',
  script: 'Script',
  download: 'Download script',
};
