import type { ErrorCode, FieldIssue } from '../../../api/errors.ts';
import { ApiError, toApiError, type Api, type Unanswered } from '../../lib/client.ts';
import type { TextKey, Values } from '../../lib/i18n/i18n.ts';
import type { EntityName, Target } from '../../lib/scope.ts';
import { assess, type Context } from './assess.ts';
import type { AnyCommand, Call, Done, Invocation } from './define.ts';
import type { ParamValues } from './fields.ts';
import { remember } from './history.ts';
import { parseParams, type Parsed } from './issues.ts';
import type { Registry } from './registry.ts';
import type { Collecting, Host, Notice, Setback, Source } from './ui.ts';

/** Why an invocation did not run. */
export type Refusal = 'UNKNOWN_COMMAND' | 'NOT_PERMITTED' | 'BLOCKED' | 'INVALID' | 'UNCONFIRMED';

export class CommandError extends Error {
  override name = 'CommandError';
  readonly code: Refusal | ErrorCode | Unanswered;
  readonly issues: readonly FieldIssue[];
  readonly reason: TextKey | null;
  constructor(code: CommandError['code'], message: string, issues: readonly FieldIssue[] = [], reason: TextKey | null = null) {
    super(message);
    this.code = code;
    this.issues = issues;
    this.reason = reason;
  }
}

export type Outcome =
  | { status: 'done'; result: unknown; undo?: Invocation }
  | { status: 'cancelled' }
  | { status: 'failed'; error: CommandError };

/** The records an invocation names, read anew; ids that no longer exist are left out. */
export type Loaders = { [E in EntityName]: (api: Api, ids: readonly string[]) => Promise<Target<E>[]> };

export interface Dependencies {
  registry: Registry;
  /** Makes every command known: one may be asked for before the page was idle. */
  loadAll: () => Promise<unknown>;
  host: Host;
  loaders: Partial<Loaders>;
  context: () => Context;
  /** What stands selected or under the cursor now. */
  freeze: () => readonly Target[];
  apiFor: (command: string | null, invocation: string | null) => Api;
}

export type Dispatch = (invocation: Invocation, source: Source, frozen?: readonly Target[]) => Promise<Outcome>;

/**
 * The only way to run a command:
 * resolve → permission → when → parameters (parsed, or collected) → danger gate → run → done → history.
 * Never rejects; a person is told what went wrong, a script reads it from the outcome.
 */
export function createDispatch(deps: Dependencies): Dispatch {
  const running = new Map<string, Promise<Outcome>>();
  return (invocation, source, frozen) => {
    // A second click or a held key while the first is under way is the same wish, not another one.
    const wish = JSON.stringify([invocation, frozen?.map(({ id }) => id)]);
    const underWay = running.get(wish);
    if (underWay) return underWay;
    const outcome = attempt(deps, invocation, source, frozen).finally(() => running.delete(wish));
    running.set(wish, outcome);
    return outcome;
  };
}

async function attempt(deps: Dependencies, invocation: Invocation, source: Source, frozen?: readonly Target[]): Promise<Outcome> {
  try {
    return await perform(deps, invocation, source, frozen);
  } catch (thrown) {
    if (thrown instanceof DOMException && thrown.name === 'AbortError') return { status: 'cancelled' }; // given up by hand
    const error = toCommandError(thrown);
    if (source !== 'script') deps.host.notify(noticeOf(error, deps.registry.get(invocation.id)));
    return { status: 'failed', error };
  }
}

async function perform(deps: Dependencies, invocation: Invocation, source: Source, frozen?: readonly Target[]): Promise<Outcome> {
  if (!deps.registry.get(invocation.id)) await deps.loadAll();
  const command = deps.registry.get(invocation.id);
  if (!command) throw new CommandError('UNKNOWN_COMMAND', `there is no command ${invocation.id}`);
  judge(deps, command, null); // the right first: without it nothing is read
  const targets = await resolveTargets(deps, command, invocation, frozen);
  judge(deps, command, targets);

  const given = fillIn(command, targets, invocation.params ?? {});
  const collecting = (await mustCollect(command, invocation, source, given))
    ? deps.host.collect({ command, targets, source, given })
    : null;
  try {
    return await gateAndRun(deps, { command, invocation, source, targets, given, collecting });
  } finally {
    collecting?.close(false);
  }
}

interface Attempt {
  command: AnyCommand;
  invocation: Invocation;
  source: Source;
  targets: readonly Target[];
  given: ParamValues;
  collecting: Collecting | null;
}

async function gateAndRun(
  deps: Dependencies,
  { command, invocation, source, targets, given, collecting }: Attempt,
): Promise<Outcome> {
  const key = crypto.randomUUID();
  let aimed = targets;
  let setback: Setback | undefined;
  for (;;) {
    const answer = collecting ? await collecting.ask(setback) : given;
    if (answer === null) return { status: 'cancelled' };
    const parsed = await parse(deps, command, aimed, answer);
    if ('issues' in parsed) {
      if (!collecting) throw new CommandError('INVALID', `${command.id}: ${describe(parsed.issues)}`, parsed.issues);
      setback = { issues: parsed.issues };
      continue;
    }
    if (!(await isConfirmed(deps, command, invocation, source, aimed, parsed.values))) return { status: 'cancelled' };
    try {
      const result = await runWithFactor(deps, command, source, aimed, parsed.values, key);
      collecting?.close(true);
      return await finish(deps, command, source, aimed, parsed.values, result);
    } catch (thrown) {
      const error = toApiErrorOrThrow(thrown);
      if (!collecting) throw error;
      // What was typed stays; the person sees what stands in the way and may try again.
      const current = error.code === 'CONFLICT' && isRecord(error.current) ? error.current : undefined;
      if (current) aimed = aimed.map((target) => renew(target, current));
      // As a form holds it: a row's own shape may be another (roles with their names, a picture that is none).
      const merged = current && command.params?.initial?.({ targets: aimed, now: new Date() });
      setback = {
        issues: error.issues,
        error: { code: error.code, requestId: error.requestId, values: wordsOf(error.data) },
        ...(merged ? { current: merged } : {}),
      };
    }
  }
}

/** The clean parameters, or what the schema or the command's own rules find wrong. */
async function parse(
  { apiFor }: Dependencies,
  { id, params }: AnyCommand,
  targets: readonly Target[],
  given: ParamValues,
): Promise<Parsed> {
  if (!params) return { values: {} };
  const parsed = await parseParams(params, given);
  if ('issues' in parsed || !params.check) return parsed;
  const issues = await params.check(parsed.values as never, { api: apiFor(id, null), targets });
  return issues.length > 0 ? { issues: [...issues] } : parsed;
}

function judge({ context }: Dependencies, command: AnyCommand, targets: readonly Target[] | null): void {
  const verdict = assess(command, context(), targets ?? []);
  if (verdict.state === 'hidden') throw new CommandError('NOT_PERMITTED', `${command.id} needs the right ${command.permission}`);
  if (targets && verdict.state === 'blocked') {
    throw Object.assign(new CommandError('BLOCKED', `${command.id}: ${verdict.reason}`, [], verdict.reason), {
      values: verdict.values,
    });
  }
}

async function resolveTargets(
  deps: Dependencies,
  command: AnyCommand,
  invocation: Invocation,
  frozen?: readonly Target[],
): Promise<readonly Target[]> {
  if (command.target.kind === 'none') return [];
  if (!invocation.targets) return frozen ?? deps.freeze();
  const asked = invocation.targets.map((target) => (typeof target === 'string' ? { id: target, version: null } : target));
  const load = deps.loaders[command.target.entity];
  if (!load) throw new Error(`nothing reads ${command.target.entity}`);
  const found: Target[] = await load(
    deps.apiFor(null, null),
    asked.map(({ id }) => id),
  );
  if (found.length < asked.length) throw new ApiError('NOT_FOUND');
  return found.map((target) => {
    const version = asked.find(({ id }) => id === target.id)?.version;
    return version ? { ...target, version } : target;
  });
}

/** Explicit parameters over what a form would start with. */
function fillIn(command: AnyCommand, targets: readonly Target[], explicit: Readonly<ParamValues>): ParamValues {
  return { ...command.params?.initial?.({ targets, now: new Date() }), ...explicit };
}

/** A script never meets a prompt; a link and a repeat always do (the values are another's or another record's); else unless all is said. */
async function mustCollect(command: AnyCommand, invocation: Invocation, source: Source, given: ParamValues): Promise<boolean> {
  if (!command.params || source === 'script') return false;
  if (source === 'link' || source === 'repeat') return true;
  const isSaid = Object.keys(command.params.fields).every((name) => name in (invocation.params ?? {}));
  return !isSaid || 'issues' in (await parseParams(command.params, given));
}

async function isConfirmed(
  { host }: Dependencies,
  command: AnyCommand,
  invocation: Invocation,
  source: Source,
  targets: readonly Target[],
  params: ParamValues,
): Promise<boolean> {
  const isGrave = command.danger === 'irreversible' || command.danger === 'money';
  const asks =
    isGrave || (command.confirm === true && source !== 'undo') || (source === 'link' && !command.params && !command.passing);
  if (!asks) return true;
  if (source !== 'script') return host.confirm({ command, targets, source, params });
  if (invocation.confirm !== true)
    throw new CommandError('UNCONFIRMED', `${command.id} asks for confirmation: pass confirm: true`);
  return true;
}

/** Runs it; where a fresh second factor is asked for, a person is asked for it and the same call goes again. */
async function runWithFactor(
  deps: Dependencies,
  command: AnyCommand,
  source: Source,
  targets: readonly Target[],
  params: ParamValues,
  key: string,
): Promise<unknown> {
  try {
    return await runOnce(deps, command, targets, params, key);
  } catch (thrown) {
    const isStale = thrown instanceof ApiError && thrown.code === 'FACTOR_STALE';
    if (!isStale || source === 'script' || !(await deps.host.confirmFactor())) throw thrown;
    return runOnce(deps, command, targets, params, key);
  }
}

async function runOnce(
  deps: Dependencies,
  command: AnyCommand,
  targets: readonly Target[],
  params: ParamValues,
  key: string,
): Promise<unknown> {
  const aborter = new AbortController();
  const call: Call<never, never> | object = {
    api: deps.apiFor(command.id, key),
    ui: deps.host,
    targets,
    params,
    signal: aborter.signal,
  };
  return command.run(call as never);
}

async function finish(
  { host }: Dependencies,
  command: AnyCommand,
  source: Source,
  targets: readonly Target[],
  params: ParamValues,
  result: unknown,
): Promise<Outcome> {
  const done: Done = command.done?.(result as never, { targets, params } as never) ?? { toast: null };
  if (!command.passing) {
    const explicit: Invocation = { id: command.id };
    if (targets.length > 0) explicit.targets = targets.map(({ id }) => id);
    if (command.params) explicit.params = withoutSecrets(command, params);
    if (source !== 'undo') remember({ invocation: explicit, at: Date.now(), ...(done.undo ? { undo: done.undo } : {}) });
  }
  if (done.failed && done.failed.length > 0) {
    host.notify({
      kind: 'error',
      key: 'palette.partly',
      values: { done: targets.length - done.failed.length, failed: done.failed.length },
    });
  } else if (done.toast !== null) {
    const { key, values } = done.toast ?? { key: 'common.success' as const };
    host.notify({
      kind: 'success',
      key,
      ...(values ? { values } : {}),
      ...(done.undo && source !== 'undo' ? { undo: done.undo } : {}),
    });
  }
  if (done.stale) await host.refresh(done.stale);
  return { status: 'done', result, ...(done.undo ? { undo: done.undo } : {}) };
}

const unremembered = new Set(['secret', 'code', 'file']);

function withoutSecrets(command: AnyCommand, params: ParamValues): ParamValues {
  const fields = command.params?.fields ?? {};
  return Object.fromEntries(Object.entries(params).filter(([name]) => !unremembered.has(fields[name]?.as ?? '')));
}

const isRecord = (value: unknown): value is ParamValues => typeof value === 'object' && value !== null;

/** The same target as the record stands now, so that the next try is made against what the person has seen. */
function renew(target: Target, current: ParamValues): Target {
  const isThis = current['id'] === target.id && typeof current['version'] === 'number';
  return isThis ? ({ ...target, version: current['version'], row: current } as unknown as Target) : target;
}

function toApiErrorOrThrow(thrown: unknown): ApiError {
  if (thrown instanceof CommandError) throw thrown;
  return toApiError(thrown);
}

function toCommandError(thrown: unknown): CommandError {
  if (thrown instanceof CommandError) return thrown;
  const { code, issues, requestId, data } = toApiError(thrown);
  const values = wordsOf(data);
  const message = [code, ...Object.values(values), requestId && `(request ${requestId})`].filter(Boolean).join(' ');
  return Object.assign(new CommandError(code, message, issues), { requestId, values });
}

function noticeOf(error: CommandError & { values?: Values; requestId?: string | null }, command: AnyCommand | undefined): Notice {
  const [issue] = error.issues;
  const label = issue && command?.params?.fields[issue.path]?.label;
  // Nobody was asked, so no form says it: what was given is wrong, and how.
  if (issue && label) return { kind: 'error', key: `form.rule.${issue.rule}`, field: label };
  if (error.reason) return { kind: 'blocked' as const, key: error.reason, ...(error.values ? { values: error.values } : {}) };
  const key: TextKey =
    error.code === 'NOT_PERMITTED'
      ? 'errors.code.FORBIDDEN'
      : error.code === 'INVALID'
        ? 'errors.code.BAD_REQUEST'
        : error.code === 'UNKNOWN_COMMAND' || error.code === 'BLOCKED' || error.code === 'UNCONFIRMED'
          ? 'errors.generic'
          : `errors.code.${error.code}`;
  return { kind: 'error' as const, key, requestId: error.requestId ?? null, ...(error.values ? { values: error.values } : {}) };
}

/** What a refusal names (who uses it, which rights), as values of its text. */
function wordsOf(data: unknown): Values {
  const lists = Object.entries(isRecord(data) ? data : {}).filter(
    ([, value]) => Array.isArray(value) && value.every((one) => typeof one === 'string'),
  );
  return Object.fromEntries(lists.map(([name, value]) => [name, (value as string[]).join(', ')]));
}

const describe = (issues: readonly FieldIssue[]): string => issues.map(({ path, rule }) => `${path} ${rule}`).join(', ');
