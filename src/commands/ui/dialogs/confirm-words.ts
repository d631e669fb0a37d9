import { maxTargets } from '../../../../api/bulk.ts';
import type { CommandId } from '../../../../api/names.ts';
import { groupDigits } from '../../../lib/format.ts';
import { locale, t, tMaybe } from '../../../lib/i18n/i18n.ts';
import { bilingualName } from '../../../lib/i18n/name-of.ts';
import { matchingFilterOf, type Target } from '../../../lib/scope.ts';
import { isBatch, maxUndoItems } from '../../engine/dispatch/batches.ts';
import type { OpenConfirm } from '../../app/open-dialogs.ts';

interface ConfirmWords {
  title: string;
  /** Shown before the body. */
  lead: readonly string[];
  body: string | null;
  act: string;
  back: string;
  /** Cannot be undone. */
  grave: boolean;
}

/** `ask.<verb>` of the command's resource, else the one that all resources share, else its name. */
export function confirmTextsOf({ command, targets }: Pick<OpenConfirm, 'command' | 'targets'>): ConfirmWords {
  const count = matchingFilterOf(targets)?.count ?? targets.length;
  const { variant, lead = [], values: wordingValues } = command.confirmWording?.({ targets: targets as readonly never[] }) ?? {};
  const [resource = '', verb = ''] = command.id.split('.');
  const values = { count, ...nounsOf(resource, count), ...wordingValues };
  const keyPrefixes = [...(variant ? [`${resource}.ask.${verb}.${variant}`] : []), `${resource}.ask.${verb}`, `ask.${verb}`];
  const confirmText = (part: 'title' | 'act' | 'body'): string | null => {
    for (const keyPrefix of keyPrefixes) {
      const text = tMaybe(`${keyPrefix}.${part}`, values);
      if (text !== null) return text;
    }
    return null;
  };
  const name = bilingualName(command.id);
  const body = [confirmText('body')];
  if (isBatch(command, targets)) {
    body.push(t(matchingFilterOf(targets) ? 'batch.wholeBody' : 'batch.wideBody', { n: groupDigits(count), max: maxTargets }));
    if (command.danger === 'reversible' && count > maxUndoItems) body.push(t('batch.noUndo', { max: groupDigits(maxUndoItems) }));
  }
  return {
    title: confirmText('title') ?? name,
    lead: lead.map(({ key, values: messageValues }) => t(key, messageValues)),
    body: body.filter((line) => line !== null).join(locale() === 'zh-CN' ? '' : ' ') || null,
    act: confirmText('act') ?? name,
    back: t(command.voids ? 'common.back' : 'common.cancel'),
    grave: command.danger === 'irreversible' || command.danger === 'money',
  };
}

/** The title has the object already. */
export function submitTextOf(id: CommandId): string {
  const verb = id.split('.')[1]?.replace(/^add(Token|Menu|Submenu)$/, 'add') ?? '';
  return tMaybe(`form.submit.${verb}`) ?? bilingualName(id);
}

const nounsOf = (resource: string, count: number) => ({
  these: tMaybe(`${resource}.these`, { count }) ?? '',
  noun: tMaybe(`${resource}.noun`, { count }) ?? '',
});

export function targetsText(targets: readonly Target[]): string {
  const matchingFilter = matchingFilterOf(targets);
  if (matchingFilter) return t('list.whole', { n: groupDigits(matchingFilter.count) });
  return t('finder.targets', { count: targets.length, name: targets[0]?.name ?? '' });
}

const maxNames = 8;

export function targetNames(targets: readonly Target[]): { names: readonly string[]; more: number } {
  const names = targets.slice(0, maxNames).map(({ name }) => name);
  return { names, more: (matchingFilterOf(targets)?.count ?? targets.length) - names.length };
}
