import { maxTargets } from '../../../../api/bulk.ts';
import type { CommandId } from '../../../../api/names.ts';
import { groupDigits } from '../../../lib/format.ts';
import { locale, t, tMaybe } from '../../../lib/i18n/i18n.ts';
import { nameOf } from '../../../lib/i18n/name-of.ts';
import { matchingOf, type Target } from '../../../lib/scope.ts';
import { isWide, mostUndone } from '../../engine/dispatch/batches.ts';
import type { OpenConfirm } from '../../app/questions.ts';

/** What a command asks before it runs: `ask.<verb>` in the words of its resource, else its name; of many records what that means. */
export function askOf({ command, targets }: Pick<OpenConfirm, 'command' | 'targets'>): {
  title: string;
  act: string;
  body: string | null;
  grave: boolean;
} {
  const count = matchingOf(targets)?.count ?? targets.length;
  const values = { count };
  const name = nameOf(command.id);
  const ask = questionOf(command.id);
  const body = [tMaybe(`${ask}.body`, values)];
  if (isWide(command, targets)) {
    body.push(t(matchingOf(targets) ? 'batch.wholeBody' : 'batch.wideBody', { n: groupDigits(count), max: maxTargets }));
    if (command.danger === 'reversible' && count > mostUndone) body.push(t('batch.noUndo', { max: groupDigits(mostUndone) }));
  }
  return {
    title: tMaybe(`${ask}.title`, values) ?? name,
    act: tMaybe(`${ask}.act`, values) ?? name,
    body: body.filter((line) => line !== null).join(locale() === 'zh-CN' ? '' : ' ') || null,
    grave: command.danger === 'irreversible' || command.danger === 'money',
  };
}

const questionOf = (id: CommandId) => id.replace('.', '.ask.');

/** What a command aims at, in a few words: a name, a number, or that it is all that match. */
export function aimText(targets: readonly Target[]): string {
  const whole = matchingOf(targets);
  if (whole) return t('list.whole', { n: groupDigits(whole.count) });
  return t('palette.targets', { count: targets.length, name: targets[0]?.name ?? '' });
}

const named = 8;

/** The first of those it runs on by name, and how many more there are. */
export function namesOf(targets: readonly Target[]): { names: readonly string[]; more: number } {
  const names = targets.slice(0, named).map(({ name }) => name);
  return { names, more: (matchingOf(targets)?.count ?? targets.length) - names.length };
}
