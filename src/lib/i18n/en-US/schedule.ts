export const schedule = {
  startsAt: 'Show from',
  endsAt: 'Show until',
  startHint: 'Leave empty to start immediately',
  endHint: 'Leave empty for no end date',
  phase: 'Phase',
  phases: { scheduled: 'Scheduled', current: 'Current', over: 'Ended' },
  live: 'Shown on the website now',
  hidden: 'Not on the website: the status is Not Show',
  scheduled: 'Not on the website yet: starts {{time}}',
  over: 'Not on the website: ended {{time}}',
};
