export const maxTargets = 200;

export const maxMatching = 10_000;
