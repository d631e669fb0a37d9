import type { Target } from '../../lib/scope.ts';
import { isSecret } from '../../lib/ui/form/field-view.ts';
import type { AnyCommand, Invocation } from './define.ts';
import type { Dependencies } from './dispatch/interface.ts';
import type { ParamValues } from './fields.ts';
import { parseParams, type Parsed } from './issues.ts';
import type { InvocationSource } from './ui.ts';
import type { FormError } from './host.ts';

export function withDefaults(command: AnyCommand, targets: readonly Target[], explicit: Readonly<ParamValues>): ParamValues {
  return { ...command.params?.initial?.({ targets, now: new Date() }), ...explicit };
}

/** Given by a script, and completed from that. */
export async function completeParams(
  { apiFor }: Dependencies,
  { id, params }: AnyCommand,
  source: InvocationSource,
  enteredValues: Readonly<ParamValues>,
): Promise<Readonly<ParamValues>> {
  if (source !== 'script' || !params?.complete) return enteredValues;
  return { ...enteredValues, ...(await params.complete(enteredValues, { api: apiFor(id, null) })) };
}

/**
 * A link and a repeat always ask, because their values belong to someone else or another record. A
 * script never asks.
 */
export async function needsForm(
  command: AnyCommand,
  invocation: Invocation,
  source: InvocationSource,
  params: ParamValues,
): Promise<boolean> {
  if (!command.params || source === 'script') return false;
  if (source === 'link' || source === 'repeat') return true;
  if (source === 'macro') return (invocation.asks ?? []).length > 0 || 'issues' in (await parseParams(command.params, params));
  const isComplete = Object.keys(command.params.fields).every((name) => name in (invocation.params ?? {}));
  return !isComplete || 'issues' in (await parseParams(command.params, params));
}

/** Shown when the form opens, not when it is sent. */
export async function invalidLinkParams(
  { params }: AnyCommand,
  { params: enteredValues = {} }: Invocation,
  provided: ParamValues,
): Promise<FormError | undefined> {
  const parsed = params ? await parseParams(params, provided) : null;
  const issues = parsed && 'issues' in parsed ? parsed.issues.filter(({ path }) => path in enteredValues) : [];
  return issues.length > 0 ? { issues } : undefined;
}

export async function parseParameters(
  { apiFor, host }: Dependencies,
  { id, params }: AnyCommand,
  targets: readonly Target[],
  provided: ParamValues,
): Promise<Parsed> {
  if (!params) return { values: {} };
  const parsed = await parseParams(params, provided);
  if ('issues' in parsed || !params.check) return parsed;
  const issues = await params.check(parsed.values as never, { api: apiFor(id, null), targets, ui: host });
  return issues.length > 0 ? { issues: [...issues] } : parsed;
}

export const isSecretParam = ({ params }: AnyCommand, name: string): boolean => isSecret(params?.fields[name]);

export const withoutSecrets = (command: AnyCommand, params: Readonly<ParamValues>): ParamValues =>
  Object.fromEntries(Object.entries(params).filter(([name]) => !isSecretParam(command, name)));
