import type { FieldIssue } from '../../../api/errors.ts';
import type { CommandId } from '../../../api/names.ts';
import { saveFile } from '../../lib/net/download.ts';
import { t } from '../../lib/i18n/i18n.ts';
import { bilingualName } from '../../lib/i18n/name-of.ts';
import { readStored, readStoredJson, writeStored } from '../../lib/prefs/storage.ts';
import { showToast } from '../../lib/ui/overlay/toasts-store.ts';
import { keyChips, isMac } from '../../lib/ui/value/key-text.ts';
import { registry } from './all.ts';
import type { KeyOverrides } from '../engine/keys/keys.ts';
import { readKeyFile, writeKeyFile, type KeyFileProblem } from '../engine/keys/rebinding.ts';
import { $overrides, $singleKeys, isKeyOverrides, overridesStorageKey, setSingleKeys, singleKeysStorageKey } from './keymap.ts';

export function setOverrides(keys: KeyOverrides): void {
  writeStored(overridesStorageKey, Object.keys(keys).length > 0 ? JSON.stringify(keys) : null);
  $overrides.set(keys);
}

export function followKeyPrefs(): () => void {
  const onStorage = ({ key }: StorageEvent) => {
    if (key !== null && key !== overridesStorageKey && key !== singleKeysStorageKey) return;
    $overrides.set(readStoredJson(overridesStorageKey, isKeyOverrides) ?? {});
    $singleKeys.set(readStored(singleKeysStorageKey) !== 'off');
  };
  addEventListener('storage', onStorage);
  return () => removeEventListener('storage', onStorage);
}

/** Leaves out commands of earlier versions, which an import would refuse. */
function serializeKeys(): string {
  const keys = Object.fromEntries(Object.entries($overrides.get()).filter(([id]) => registry.get(id) !== undefined));
  return writeKeyFile({ keys, singleKeys: $singleKeys.get() });
}

/** Returns the previous keys as a file. */
export function resetKeys(): string {
  const previousFile = serializeKeys();
  setOverrides({});
  return previousFile;
}

export const exportKeys = (): void => saveFile(new Blob([serializeKeys()], { type: 'application/json' }), 'shortcuts.json');

const maxFileLength = 100_000; // About ten times the size of a file with many keys for every command.

const readText = async (file: string | Blob): Promise<string> => {
  if (typeof file === 'string') return file;
  return file.size > maxFileLength ? '' : file.text();
};

export async function refuseKeyFile(file: string | Blob): Promise<FieldIssue[]> {
  const readResult = readKeyFile(await readText(file), registry.all);
  if (!('problems' in readResult)) return [];
  showToast({ kind: 'error', text: [t('keys.wrongFile'), ...truncateLines(readResult.problems.map(problemText))].join('\n') });
  return [{ path: 'file', rule: 'invalid' }];
}

/** Returns the previous keys as a file. */
export async function importKeys(file: string | Blob): Promise<string> {
  const previousFile = serializeKeys();
  const readResult = readKeyFile(await readText(file), registry.all);
  if ('problems' in readResult) throw new Error('a file of keys was not checked before it was imported');
  setOverrides(readResult.keys);
  if (readResult.singleKeys !== undefined) setSingleKeys(readResult.singleKeys);
  return previousFile;
}

function problemText(problem: KeyFileProblem): string {
  if (problem.kind === 'notKeys') return t('keys.wrong.notKeys');
  const { kind, id } = problem;
  if (kind === 'unknown') return t('keys.wrong.unknown', { id });
  const keys = kind === 'unreadable' ? problem.keys : keysText(problem.keys);
  const values = { name: bilingualName(id as CommandId), keys };
  return kind === 'clash'
    ? t('keys.wrong.clash', { ...values, other: bilingualName(problem.other as CommandId) })
    : t(`keys.wrong.${kind}`, values);
}

export const keysText = (keys: string): string =>
  keyChips(keys, isMac())
    .map((keyStroke) => keyStroke.join('+'))
    .join(' ');

const maxLines = 6;

export const truncateLines = (lines: readonly string[]): string[] =>
  lines.length > maxLines ? [...lines.slice(0, maxLines), t('keys.more', { n: lines.length - maxLines })] : [...lines];
