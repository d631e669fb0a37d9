export const maxTargets = 200;

export const mostMatching = 10_000;
