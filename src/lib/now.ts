import { atom, onMount } from 'nanostores';

const stepMs = 10_000;

/** One clock for all relative times, stopped while the page is hidden. */
export const $now = atom(new Date());

onMount($now, () => {
  $now.set(new Date());
  const timer = setInterval(() => $now.set(new Date()), stepMs);
  return () => clearInterval(timer);
});
