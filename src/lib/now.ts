import { atom, onMount } from 'nanostores';

const stepMs = 10_000;

/** The time, for what changes with it while it stands on screen: one clock for all, stopped when nobody looks. */
export const $now = atom(new Date());

onMount($now, () => {
  $now.set(new Date());
  const timer = setInterval(() => $now.set(new Date()), stepMs);
  return () => clearInterval(timer);
});
