/** Whether the server answers, and with which build. */
export const state = {
  offline: 'The server does not answer. Nothing can be changed until it does.',
  asOf: 'What you see is as of {{time}}, {{ago}}.',
  again: 'Try now',
  back: 'The server answers again. What you see is up to date.',
  newer: 'A newer version of the panel is there.',
  reload: 'Reload',
};
