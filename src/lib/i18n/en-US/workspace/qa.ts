export const qa = {
  on: 'QA and expert features are shown',
  off: 'QA and expert features are hidden',
  started: 'Recording. When you are done, run “Stop recording and show the script”.',
  running: 'Already recording',
  notRunning: 'Nothing is being recorded',
  seen: 'Expected text',
  expected: ({ text }: { text: string }) => `Recorded: the script will look for “${text}”.`,
  title: 'Recorded script',
  intro: ({ count }: { count: number }) =>
    `${count} ${count === 1 ? 'step' : 'steps'}. It imports @admin-panel/qa: saved where that is installed, it runs against any deployed panel.`,
  nothing: 'No command ran while recording.',
  script: 'Script',
  download: 'Download',
};
