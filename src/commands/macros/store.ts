import { atom, computed } from 'nanostores';
import { $loginEmail } from '../../lib/session/session.ts';
import { readStored, writeStored } from '../../lib/prefs/storage.ts';
import { readMacros, type Macro, type MacroStep } from './macro.ts';

const storageKey = 'prefs.macros';

function loadMacros(): Macro[] {
  try {
    return readMacros(JSON.parse(readStored(storageKey) ?? '[]'));
  } catch {
    return [];
  }
}

const $all = atom<readonly Macro[]>(loadMacros());

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
  const all = loadMacros();
  return saveAll(
    all.some(({ id }) => id === macro.id)
      ? all.map((candidate) => (candidate.id === macro.id ? macro : candidate))
      : [...all, macro],
  );
}

export const dropMacro = (id: string): boolean => saveAll(loadMacros().filter((candidate) => candidate.id !== id));

function saveAll(all: readonly Macro[]): boolean {
  const validMacros = readMacros(all);
  const isStored = validMacros.length === all.length && writeStored(storageKey, JSON.stringify(validMacros));
  $all.set(loadMacros());
  return isStored;
}

globalThis.addEventListener?.('storage', ({ key: changedKey }) => {
  if (changedKey === storageKey) $all.set(loadMacros());
});
