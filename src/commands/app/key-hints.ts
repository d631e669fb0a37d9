import { atom } from 'nanostores';
import type { CommandId } from '../../../api/names.ts';
import { t } from '../../lib/i18n/i18n.ts';
import { nameOf } from '../../lib/i18n/name-of.ts';
import { readStored, readStoredJson, writeStored } from '../../lib/prefs/storage.ts';
import { showToast } from '../../lib/ui/overlay/toasts-store.ts';
import type { Run } from '../engine/dispatch/interface.ts';
import { isSingleKey, parseKeys } from '../engine/keys/keys.ts';
import { idOfPath } from './go-keys.ts';
import { $singleKeys, keysOf } from './keymap.ts';

const tipsKey = 'prefs.keyTips';
const countsKey = 'prefs.mouseRuns';
/** How often a command is run by mouse before its keys are told, once. */
const enough = 2;

/** Whether shortcuts are told to those who use the mouse. */
export const $keyTips = atom(readStored(tipsKey) !== 'off');

export function setKeyTips(on: boolean): void {
  writeStored(tipsKey, on ? null : 'off');
  $keyTips.set(on);
}

let isMouse = false;

/** Knows which hand was used last: a button may be pressed by Enter. Answers how to stop it. */
export function watchHand(): () => void {
  const mouse = () => void (isMouse = true);
  const keyboard = () => void (isMouse = false);
  // Links of the menu are no commands, but have the keys of one.
  const go = ({ target, detail }: MouseEvent) => {
    const link = target instanceof Element && detail > 0 ? target.closest('nav a[href]') : null;
    const id = link && idOfPath(link.getAttribute('href') ?? '');
    if (id) count(id);
  };
  addEventListener('pointerdown', mouse, true);
  addEventListener('keydown', keyboard, true);
  addEventListener('click', go, true);
  return () => {
    removeEventListener('pointerdown', mouse, true);
    removeEventListener('keydown', keyboard, true);
    removeEventListener('click', go, true);
  };
}

/** What was run by mouse twice tells its keys, once; who used the keys knows them. */
export function learnFrom({ outcome, invocation: { id }, source }: Run): void {
  const byMouse = isMouse && (source === 'button' || source === 'menu' || source === 'row');
  if (!byMouse && source !== 'key') return;
  void outcome.then(({ status }) => {
    if (status !== 'done') return;
    if (byMouse) count(id);
    else if (countOf(id) < enough) save(id, enough);
  });
}

/** Nothing but fingers: keys are unlikely (as `touch:` in styles.css). */
const keyless = matchMedia('(any-hover: none) and (any-pointer: coarse)');

const isCounts = (value: unknown): value is Record<string, number> =>
  typeof value === 'object' && value !== null && Object.values(value).every((one) => typeof one === 'number');
const counts = (): Record<string, number> => readStoredJson(countsKey, isCounts) ?? {};
const countOf = (id: string): number => counts()[id] ?? 0;
const save = (id: string, times: number): void => void writeStored(countsKey, JSON.stringify({ ...counts(), [id]: times }));

function count(id: CommandId): void {
  const [keys] = keysOf(id);
  const before = countOf(id);
  if (!keys || before >= enough || !$keyTips.get() || keyless.matches) return;
  const [first] = parseKeys(keys);
  if (!$singleKeys.get() && first && isSingleKey(first)) return;
  save(id, before + 1);
  if (before + 1 < enough) return;
  showToast({
    kind: 'hint',
    text: t('keys.learn', { name: nameOf(id) }),
    keys,
    action: { label: t('keys.learnOff'), run: () => setKeyTips(false) },
  });
}
