import type { CommandId } from '../../../../api/names.ts';
import { t, tMaybe } from '../../../lib/i18n/i18n.ts';
import { bilingualName } from '../../../lib/i18n/name-of.ts';

/** In characters. */
const maxNameLength = 48;

function firstName([name]: readonly string[], count: number): string | null {
  if (count !== 1 || !name) return null;
  return t('common.named', { name: name.length > maxNameLength ? `${name.slice(0, maxNameLength)}…` : name });
}

export function resultText(id: CommandId, names: readonly string[], count: number): string {
  const [resource, verb] = id.split('.');
  const subject = firstName(names, count) ?? (count > 0 ? tMaybe(`${resource}.count`, { count }) : null);
  return (
    tMaybe(`happened.${resource}.${verb}`, { of: subject ?? '' }) ||
    (subject && tMaybe(`did.${verb}`, { of: subject })) ||
    namedResult(id, names, count)
  );
}

const namedResult = (id: CommandId, names: readonly string[], count: number): string =>
  [bilingualName(id), firstName(names, count) ?? (count > 1 ? `× ${count}` : '')].filter(Boolean).join(' ');
