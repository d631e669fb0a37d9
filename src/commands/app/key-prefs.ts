import type { FieldIssue } from '../../../api/errors.ts';
import type { CommandId } from '../../../api/names.ts';
import { saveFile } from '../../lib/net/download.ts';
import { t } from '../../lib/i18n/i18n.ts';
import { bilingualName } from '../../lib/i18n/name-of.ts';
import { readStored, readStoredJson, writeStored } from '../../lib/prefs/storage.ts';
import { showToast } from '../../lib/ui/overlay/toasts-store.ts';
import { chipsOf, isMac } from '../../lib/ui/value/key-text.ts';
import { registry } from './all.ts';
import type { KeyOverrides } from '../engine/keys/keys.ts';
import { readKeyFile, writeKeyFile, type KeyFileProblem } from '../engine/keys/rebinding.ts';
import { $overrides, $singleKeys, isOverrides, keysKey, setSingleKeys, singleKey } from './keymap.ts';

export function setOverrides(keys: KeyOverrides): void {
  writeStored(keysKey, Object.keys(keys).length > 0 ? JSON.stringify(keys) : null);
  $overrides.set(keys);
}

export function followKeyPrefs(): () => void {
  const follow = ({ key }: StorageEvent) => {
    if (key !== null && key !== keysKey && key !== singleKey) return;
    $overrides.set(readStoredJson(keysKey, isOverrides) ?? {});
    $singleKeys.set(readStored(singleKey) !== 'off');
  };
  addEventListener('storage', follow);
  return () => removeEventListener('storage', follow);
}

/** Leaves out commands of earlier versions, which an import would refuse. */
function keyFile(): string {
  const keys = Object.fromEntries(Object.entries($overrides.get()).filter(([id]) => registry.get(id) !== undefined));
  return writeKeyFile({ keys, singleKeys: $singleKeys.get() });
}

/** Returns the previous keys as a file. */
export function resetKeys(): string {
  const before = keyFile();
  setOverrides({});
  return before;
}

export const exportKeys = (): void => saveFile(new Blob([keyFile()], { type: 'application/json' }), 'shortcuts.json');

const max = 100_000; // About ten times the size of a file with many keys for every command.

const textOf = async (file: string | Blob): Promise<string> => {
  if (typeof file === 'string') return file;
  return file.size > max ? '' : file.text();
};

export async function refuseKeyFile(file: string | Blob): Promise<FieldIssue[]> {
  const read = readKeyFile(await textOf(file), registry.all);
  if (!('problems' in read)) return [];
  showToast({ kind: 'error', text: [t('keys.wrongFile'), ...truncateLines(read.problems.map(problemText))].join('\n') });
  return [{ path: 'file', rule: 'invalid' }];
}

/** Returns the previous keys as a file. */
export async function importKeys(file: string | Blob): Promise<string> {
  const before = keyFile();
  const read = readKeyFile(await textOf(file), registry.all);
  if ('problems' in read) throw new Error('a file of keys was not checked before it was imported');
  setOverrides(read.keys);
  if (read.singleKeys !== undefined) setSingleKeys(read.singleKeys);
  return before;
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
  chipsOf(keys, isMac())
    .map((stroke) => stroke.join('+'))
    .join(' ');

const maxLines = 6;

export const truncateLines = (lines: readonly string[]): string[] =>
  lines.length > maxLines ? [...lines.slice(0, maxLines), t('keys.more', { n: lines.length - maxLines })] : [...lines];
