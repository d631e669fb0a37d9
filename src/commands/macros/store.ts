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

/** At a shared desk people can't run another person's macros. */
export const $macros = computed([$all, $loginEmail], (all, email) => all.filter(({ by }) => by === email));

export const newMacro = (steps: readonly MacroStep[]): Macro => ({
  id: crypto.randomUUID(),
  by: $loginEmail.get(),
  name: '',
  steps,
});

/** False: the browser refused to store it. */
export function saveMacro(macro: Macro): boolean {
  const all = read();
  return saveAll(all.some(({ id }) => id === macro.id) ? all.map((one) => (one.id === macro.id ? macro : one)) : [...all, macro]);
}

export const dropMacro = (id: string): boolean => saveAll(read().filter((one) => one.id !== id));

function saveAll(all: readonly Macro[]): boolean {
  const clean = readMacros(all);
  const isStored = clean.length === all.length && writeStored(key, JSON.stringify(clean));
  $all.set(read());
  return isStored;
}

globalThis.addEventListener?.('storage', ({ key: changed }) => {
  if (changed === key) $all.set(read());
});
