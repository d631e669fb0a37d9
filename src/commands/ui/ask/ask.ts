import { maxTargets } from '../../../../api/bulk.ts';
import type { CommandId } from '../../../../api/names.ts';
import { groupDigits } from '../../../lib/format.ts';
import { locale, t, tMaybe } from '../../../lib/i18n/i18n.ts';
import { nameOf } from '../../../lib/i18n/name-of.ts';
import { matchingOf, type Target } from '../../../lib/scope.ts';
import { isWide, mostUndone } from '../../engine/dispatch/batches.ts';
import type { OpenConfirm } from '../../app/questions.ts';

interface AskWords {
  title: string;
  /** Shown before the body. */
  lead: readonly string[];
  body: string | null;
  act: string;
  back: string;
  /** Cannot be undone. */
  grave: boolean;
}

/** `ask.<verb>` of the command's resource, else its name. */
export function askOf({ command, targets }: Pick<OpenConfirm, 'command' | 'targets'>): AskWords {
  const count = matchingOf(targets)?.count ?? targets.length;
  const { variant, lead = [], values: own } = command.says?.({ targets: targets as readonly never[] }) ?? {};
  const values = { count, ...own };
  const ask = questionOf(command.id);
  const words = (part: 'title' | 'act' | 'body'): string | null =>
    (variant === undefined ? null : tMaybe(`${ask}.${variant}.${part}`, values)) ?? tMaybe(`${ask}.${part}`, values);
  const name = nameOf(command.id);
  const body = [words('body')];
  if (isWide(command, targets)) {
    body.push(t(matchingOf(targets) ? 'batch.wholeBody' : 'batch.wideBody', { n: groupDigits(count), max: maxTargets }));
    if (command.danger === 'reversible' && count > mostUndone) body.push(t('batch.noUndo', { max: groupDigits(mostUndone) }));
  }
  return {
    title: words('title') ?? name,
    lead: lead.map(({ key, values: fill }) => t(key, fill)),
    body: body.filter((line) => line !== null).join(locale() === 'zh-CN' ? '' : ' ') || null,
    act: words('act') ?? name,
    back: t(command.voids ? 'common.back' : 'common.cancel'),
    grave: command.danger === 'irreversible' || command.danger === 'money',
  };
}

const questionOf = (id: CommandId) => id.replace('.', '.ask.');

export function aimText(targets: readonly Target[]): string {
  const whole = matchingOf(targets);
  if (whole) return t('list.whole', { n: groupDigits(whole.count) });
  return t('palette.targets', { count: targets.length, name: targets[0]?.name ?? '' });
}

const named = 8;

export function namesOf(targets: readonly Target[]): { names: readonly string[]; more: number } {
  const names = targets.slice(0, named).map(({ name }) => name);
  return { names, more: (matchingOf(targets)?.count ?? targets.length) - names.length };
}
