import { atom, computed } from 'nanostores';
import { $loginEmail } from '../../lib/session/session.ts';
import { readStored, writeStored } from '../../lib/prefs/storage.ts';
import { readMacros, type Macro, type MacroStep } from './macro.ts';

const key = 'prefs.macros';

function read(): Macro[] {
  try {
    return readMacros(JSON.parse(readStored(key) ?? '[]'));
  } catch {
    return [];
  }
}

const $all = atom<readonly Macro[]>(read());

/** This person's macros: at a shared desk nobody runs what another put together. */
export const $macros = computed([$all, $loginEmail], (all, email) => all.filter(({ by }) => by === email));

/** One of this person's that has no name yet. */
export const newMacro = (steps: readonly MacroStep[]): Macro => ({
  id: crypto.randomUUID(),
  by: $loginEmail.get(),
  name: '',
  steps,
});

/** Adds it, or puts it in the place of the one it was. False when the browser would not keep it. */
export function saveMacro(macro: Macro): boolean {
  const all = read();
  return keep(all.some(({ id }) => id === macro.id) ? all.map((one) => (one.id === macro.id ? macro : one)) : [...all, macro]);
}

export const dropMacro = (id: string): boolean => keep(read().filter((one) => one.id !== id));

function keep(all: readonly Macro[]): boolean {
  const clean = readMacros(all);
  const kept = clean.length === all.length && writeStored(key, JSON.stringify(clean));
  $all.set(read());
  return kept;
}

globalThis.addEventListener?.('storage', ({ key: changed }) => {
  if (changed === key) $all.set(read());
});
