import { maxTargets } from '../../../api/bulk.ts';
import type { ErrorCode, FieldIssue } from '../../../api/errors.ts';
import { ApiError, toApiError, type Api, type Unanswered } from '../../lib/net/client.ts';
import type { TextKey, Values } from '../../lib/i18n/i18n.ts';
import { $batch, putBatchAway, reportBatch } from '../../lib/batch.ts';
import { matchingOf, type EntityName, type Target } from '../../lib/scope.ts';
import { assess, type Context } from './assess.ts';
import { failure, isWide, mostUndone, runWide } from './batches.ts';
import type { AnyCommand, Call, Done, Invocation } from './define.ts';
import type { ParamValues } from './fields.ts';
import { remember } from './history.ts';
import { parseParams, type Parsed } from './issues.ts';
import { isSecret } from '../../lib/ui/form/field-view.ts';
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
  /** `ran`: what exactly, without its secrets and files; `entry`: its place in the history; `failed`: how many of its records did not follow. */
  | { status: 'done'; result: unknown; ran: Invocation; undo?: Invocation; entry?: string; failed?: number }
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
  /** Told of every run once, a double click's too, as it begins. */
  watch?: (run: Run) => void;
}

export interface Run {
  invocation: Invocation;
  source: Source;
  /** What it was aimed at, where that was frozen. */
  frozen: readonly Target[];
  /** Never rejects. */
  outcome: Promise<Outcome>;
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
    deps.watch?.({ invocation, source, frozen: frozen ?? [], outcome });
    return outcome;
  };
}

async function attempt(deps: Dependencies, invocation: Invocation, source: Source, frozen?: readonly Target[]): Promise<Outcome> {
  try {
    return await perform(deps, invocation, source, frozen);
  } catch (thrown) {
    if (thrown instanceof DOMException && thrown.name === 'AbortError') return { status: 'cancelled' }; // given up by hand
    const error = toCommandError(thrown);
    // A macro says itself where it stopped, and why.
    if (source !== 'script' && source !== 'macro') deps.host.notify(noticeOf(error, deps.registry.get(invocation.id)));
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
    ? deps.host.collect({
        command,
        targets,
        source,
        given,
        ...(invocation.asks?.length ? { only: invocation.asks } : {}),
        ...(source === 'link' ? { said: Object.keys(invocation.params ?? {}) } : {}),
      })
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
  let setback = source === 'link' ? await saidWrong(command, invocation, given) : undefined;
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
    if (isWide(command, aimed)) {
      collecting?.close(true); // what goes on now has a place of its own
      return runInBatches(deps, command, source, aimed, parsed.values);
    }
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

/** What a link says that its command cannot take: shown as it opens, not when it is sent. */
async function saidWrong(
  { params }: AnyCommand,
  { params: said = {} }: Invocation,
  given: ParamValues,
): Promise<Setback | undefined> {
  const parsed = params ? await parseParams(params, given) : null;
  const issues = parsed && 'issues' in parsed ? parsed.issues.filter(({ path }) => path in said) : [];
  return issues.length > 0 ? { issues } : undefined;
}

/** The clean parameters, or what the schema or the command's own rules find wrong. */
async function parse(
  { apiFor, host }: Dependencies,
  { id, params }: AnyCommand,
  targets: readonly Target[],
  given: ParamValues,
): Promise<Parsed> {
  if (!params) return { values: {} };
  const parsed = await parseParams(params, given);
  if ('issues' in parsed || !params.check) return parsed;
  const issues = await params.check(parsed.values as never, { api: apiFor(id, null), targets, ui: host });
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
  const ids = asked.map(({ id }) => id);
  const found: Target[] = [];
  for (let from = 0; from < ids.length; from += maxTargets)
    found.push(...(await load(deps.apiFor(null, null), ids.slice(from, from + maxTargets))));
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
  if (source === 'macro') return (invocation.asks ?? []).length > 0 || 'issues' in (await parseParams(command.params, given));
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
  // Whoever starts a macro has seen its steps: what can be undone is not asked for again.
  const isSaidYes = source === 'undo' || (source === 'macro' && command.danger === 'reversible');
  const asks =
    isGrave ||
    matchingOf(targets) !== undefined ||
    (command.confirm === true && !isSaidYes) ||
    (source === 'link' && !command.params && !opens(command));
  if (!asks) return true;
  if (source !== 'script') return host.confirm({ command, targets, source, params });
  if (invocation.confirm !== true)
    throw new CommandError('UNCONFIRMED', `${command.id} asks for confirmation: pass confirm: true`);
  return true;
}

/** Only leads somewhere: all that a link may do unasked. */
const opens = ({ id, passing }: AnyCommand): boolean => passing === true && (id.startsWith('go.') || id.endsWith('.open'));

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

/** On more rows than one run takes: transaction after transaction, each row reported. */
async function runInBatches(
  deps: Dependencies,
  command: AnyCommand,
  source: Source,
  targets: readonly Target[],
  params: ParamValues,
): Promise<Outcome> {
  if ($batch.get()?.isRunning) throw new CommandError('BLOCKED', `${command.id}: a batch is under way`, [], 'batch.busy');
  const { target } = command;
  const load = target.kind === 'none' ? undefined : deps.loaders[target.entity];
  if (!load) throw new Error(`nothing reads what ${command.id} runs on`);
  const { rows, done } = await runWide({
    command,
    targets,
    params: command.params ? withoutSecrets(command, params) : undefined,
    load: (ids) => load(deps.apiFor(null, null), ids),
    judge: (some) => assess(command, deps.context(), some),
    run: async (some) => {
      const result = await runWithFactor(deps, command, source, some, params, crypto.randomUUID());
      return command.done?.(result as never, { targets: some, params } as never) ?? {};
    },
  });
  if (done.failed?.length === 0) putBatchAway();
  const failed = rows.filter(({ state }) => state !== 'done').map(({ id, state, note }) => ({ id, state, note }));
  return finish(deps, command, source, rows, params, { done: rows.length - failed.length, failed }, done);
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
  targets: readonly Pick<Target, 'id' | 'name'>[],
  params: ParamValues,
  result: unknown,
  done: Done = command.done?.(result as never, { targets, params } as never) ?? { toast: null },
): Promise<Outcome> {
  const ran: Invocation = { id: command.id };
  if (targets.length > 0 && targets.length <= mostUndone) ran.targets = targets.map(({ id }) => id);
  if (command.params) ran.params = withoutSecrets(command, params);
  let entry: string | undefined;
  if (!command.passing && source !== 'undo') {
    const made = targets.length === 0 ? madeBy(result, done.undo) : [];
    entry = remember({
      invocation: ran,
      at: Date.now(),
      ...(targets.length > 0 ? { names: targets.slice(0, namesKept).map(({ name }) => name.slice(0, nameKept)) } : {}),
      ...(made.length > 0 ? { made } : {}),
      ...(done.undo ? { undo: done.undo } : {}),
    });
  }
  if (source === 'macro') {
    // It tells step by step how far it is.
  } else if (done.failed && done.failed.length > 0) {
    if (!done.reported) report(command, targets, params, done.failed);
    host.notify({
      kind: 'error',
      key: 'palette.partly',
      values: { done: targets.length - done.failed.length, failed: done.failed.length },
    });
  } else if (done.toast !== null) {
    if (!done.reported && $batch.get()?.command === command.id) putBatchAway(); // it names what has followed by now
    const { key, values } = done.toast ?? { key: 'common.success' as const };
    host.notify({
      kind: 'success',
      key,
      ...(values ? { values } : {}),
      ...(done.undo && source !== 'undo' ? { undo: done.undo } : {}),
    });
  }
  if (done.stale) await host.refresh(done.stale);
  return {
    status: 'done',
    result,
    ran,
    ...(done.undo ? { undo: done.undo } : {}),
    ...(entry ? { entry } : {}),
    ...(done.failed?.length ? { failed: done.failed.length } : {}),
  };
}

const namesKept = 5;
const nameKept = 120;
/** Names the rows that did not follow, each with its reason. */
function report(
  command: AnyCommand,
  targets: readonly Pick<Target, 'id' | 'name'>[],
  params: ParamValues,
  failed: NonNullable<Done['failed']>,
): void {
  const codes = new Map(failed.map(({ id, code }) => [id, code]));
  const rows = targets.map(({ id, name }) => {
    const code = codes.get(id);
    return { id, name, ...(code === undefined ? { state: 'done' as const, note: null } : failure(code)) };
  });
  reportBatch({ command: command.id, rows, ...(command.params ? { params: withoutSecrets(command, params) } : {}) });
}

/** Ids of the records that came of a command without targets, as its undo or its result names them. */
function madeBy(result: unknown, undo?: Invocation): string[] {
  if (undo?.targets) return undo.targets.map((target) => (typeof target === 'string' ? target : target.id));
  const row = isRecord(result) && isRecord(result['row']) ? result['row'] : result;
  return isRecord(row) && typeof row['id'] === 'string' ? [row['id']] : [];
}

/** Whether a parameter is kept nowhere: what must not be seen, and files. */
export const isUnremembered = ({ params }: AnyCommand, name: string): boolean => isSecret(params?.fields[name]);

export const withoutSecrets = (command: AnyCommand, params: Readonly<ParamValues>): ParamValues =>
  Object.fromEntries(Object.entries(params).filter(([name]) => !isUnremembered(command, name)));

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

/** What a person is told of a refusal. */
export function noticeOf(
  error: CommandError & { values?: Values; requestId?: string | null },
  command: AnyCommand | undefined,
): Notice {
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
