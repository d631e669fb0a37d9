import { navigate } from 'wouter/use-browser-location';
import type { CommandId } from '../../../api/names.ts';
import { flattenMenu } from '../../../api/menu.ts';
import { readDraft } from '../../lib/prefs/drafts.ts';
import { linkPrefix, notFoundPath } from '../../lib/session/guard.ts';
import { valueText } from '../../lib/format.ts';
import { isSecret } from '../../lib/ui/form/field-view.ts';
import { registry } from './all.ts'; // the linked command may be any
import { runCommand } from './app.ts';
import type { Invocation } from '../engine/define.ts';
import type { ParamField, ParamValues } from '../engine/fields.ts';
import { questionDraftKey } from './collect.ts';

/** Servers and mail programs cut longer links. */
export const maxLinkLength = 8000;
const maxReadLength = 16_000;
const maxTargetNames = 200;

/**
 * `/~news.edit?id=…&title=…` opens the command's screen and asks before anything runs. `id` may
 * repeat. Unknown parameters, secrets, codes and files are ignored.
 */
export function parseLink(path: string, search: string): Invocation | null {
  const command = path.startsWith(linkPrefix) ? registry.get(path.slice(linkPrefix.length)) : undefined;
  if (!command || search.length > maxReadLength) return null;
  const query = new URLSearchParams(search);
  const targets = [...new Set(query.getAll('id'))].filter((id) => id !== '').slice(0, maxTargetNames + 1);
  const params = Object.fromEntries(
    Object.entries(command.params?.fields ?? {}).flatMap(([name, field]) =>
      query.has(name) && !isSecret(field) ? [[name, parseValue(field, query.getAll(name))]] : [],
    ),
  );
  return { id: command.id, ...(targets.length > 0 ? { targets } : {}), ...(Object.keys(params).length > 0 ? { params } : {}) };
}

/** An invalid value stays as written, so that the form can explain it. */
function parseValue(field: ParamField, names: readonly string[]): unknown {
  if (field.as === 'picks' || field.as === 'tree') return names.filter((item) => item !== '');
  const [value = ''] = names;
  if (field.as === 'flag') return value === 'true' ? true : value === 'false' ? false : value;
  return field.as === 'time' && field.optional && value === '' ? null : value;
}

/** Leaves out secrets, codes and files. */
export function linkOf({ id, targets = [], params = {} }: Invocation): string {
  const fields = registry.get(id)?.params?.fields ?? {};
  const query = new URLSearchParams(targets.map((target) => ['id', typeof target === 'string' ? target : target.id]));
  for (const [name, value] of Object.entries(params)) {
    if (!fields[name] || isSecret(fields[name]) || value === undefined) continue;
    const valueList: readonly unknown[] = Array.isArray(value) && value.length > 0 ? value : [value];
    for (const item of valueList) query.append(name, valueText(item));
  }
  const names = query.toString();
  return `${linkPrefix}${id}${names && `?${names}`}`;
}

export const changedParams = (values: ParamValues, initialValues: ParamValues): ParamValues =>
  Object.fromEntries(Object.entries(values).filter(([name, value]) => !isSame(value, initialValues[name])));

const isSame = (a: unknown, b: unknown): boolean => JSON.stringify(a ?? '') === JSON.stringify(b ?? '');

export function screenOfCommand({ id }: { id: CommandId }): string {
  const screenPath = registry.get(id)?.place;
  return flattenMenu().find(({ path }) => path === screenPath)?.path ?? '/';
}

/** Without a link, reopens the form that was open before a reload. */
export function openLink(path: string): void {
  if (path.startsWith(linkPrefix)) {
    const linkedInvocation = parseLink(path, location.search);
    navigate(linkedInvocation ? screenOfCommand(linkedInvocation) : notFoundPath, {
      replace: true,
      state: linkedInvocation ? null : { asked: path },
    });
    if (linkedInvocation) runCommand(linkedInvocation, 'link');
    return;
  }
  const { form } = (history.state ?? {}) as { form?: string };
  const { pathname, search } = new URL(form ?? '', location.origin);
  const previousInvocation = parseLink(pathname, search);
  if (previousInvocation && readDraft(questionDraftKey(previousInvocation.id, previousInvocation.targets ?? [])))
    runCommand(previousInvocation, 'link');
}
