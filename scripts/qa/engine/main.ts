import { parentPort, workerData } from 'node:worker_threads';
import type { EngineAnswer, EngineCall, EngineData, OpenedToken } from '../../../qa/kit/engine.ts';
import type { Access } from '../../../api/access/session.ts';
import type { CommandId } from '../../../api/names.ts';
import { registry } from '../../../src/commands/app/all.ts';
import { describe } from '../../../src/commands/app/describe.ts';
import { loaders } from '../../../src/commands/app/loaders.ts';
import { readList, readOptions, readRecord, type ListRequest, type OptionsRequest } from '../../../src/commands/app/reads.ts';
import { buildScriptRefusal, toScriptResult, type ScriptRefusal } from '../../../src/commands/app/script-result.ts';
import type { ScriptOptions } from '../../../src/commands/app/script.ts';
import { assess, type CommandContext } from '../../../src/commands/engine/assess.ts';
import { CommandError } from '../../../src/commands/engine/command-error.ts';
import { createDispatch } from '../../../src/commands/engine/dispatch/dispatch.ts';
import { loadDictionary, loadResourceTexts } from '../../../src/lib/i18n/boot.ts';
import { resolveDictionaryLocale, setPageLocale } from '../../../src/lib/i18n/locale.ts';
import { createApi } from '../../../src/lib/net/client.ts';
import { t } from '../../../src/lib/i18n/i18n.ts';
import { showExpert } from '../../../src/lib/prefs/prefs.ts';
import type { EntityName } from '../../../src/lib/scope.ts';
import { $codeSet, $permittedPaths, flattenRoutes, setAccess } from '../../../src/lib/session/session.ts';
import { refuseUnreachable } from '../../command/login.ts';
import { ShellError } from '../../command/command-output.ts';
import { describeProblem, dispatchWithToken, findScopeProblem, parseToken, readTokenAccess } from '../../command/token.ts';
import { createEngineHost, engineRuns, finishSaves, PageRequired, sendTo, type EngineRun } from './host.ts';

// The thread of qa/kit/engine.ts: the methods of `window.admin` with a service token.

const { origin, token, locale } = workerData as EngineData;

const context = (): CommandContext => ({
  signedIn: true,
  codes: $codeSet.get(),
  paths: $permittedPaths.get(),
  viewContext: null,
  expert: true,
});

async function open(): Promise<OpenedToken> {
  const authorization = `Bearer ${parseToken(token)}`;
  // The token goes to no address that isn't a panel.
  const version = await readVersion();
  const access = await readTokenAccess(origin, authorization);
  setAccess(access, authorization);
  showExpert();
  return { email: access.email, granted: grantedOf(access), version };
}

const grantedOf = ({ codes, permittedRoutes }: Access): string[] => [
  ...codes.map(({ code }) => code),
  ...flattenRoutes(permittedRoutes),
];

async function readVersion(): Promise<string> {
  const response = await fetch('/healthz').catch(refuseUnreachable(origin));
  const { status, version } = ((await response.json().catch(() => null)) ?? {}) as { status?: string; version?: string };
  if (status !== 'ok' || !version)
    throw Object.assign(new Error(`${origin} isn’t a panel. Check PANEL_URL`), { code: 'NOT_A_PANEL' });
  return version;
}

setPageLocale(resolveDictionaryLocale(locale));
const textsReady = Promise.all([loadDictionary(), loadResourceTexts()]);

const dispatch = createDispatch({
  registry,
  loadAll: async () => {},
  host: createEngineHost(origin),
  loaders: async () => loaders,
  context,
  freeze: () => [],
  person: () => token,
  apiFor: createApi,
});

/** A page has the list, and the history of a person's commands. */
const needsPage = (id: string) => registry.get(id)?.place === 'list' || id.startsWith('history.');

async function run(id: string, options: ScriptOptions): Promise<unknown> {
  if (needsPage(id)) throw new PageRequired();
  const outcome = await dispatchWithToken(dispatch, { id: id as CommandId, ...options }, context());
  if (outcome.status === 'canceled') throw Object.assign(new Error(`${id} was canceled`), { code: 'CANCELED' });
  if (outcome.status === 'failed') throw outcome.error;
  return toScriptResult(outcome.result);
}

async function list(): Promise<unknown> {
  const commands = registry.all.filter(
    (command) => assess(command, context(), []).state !== 'hidden' && findScopeProblem(command.id, context()) === null,
  );
  return Promise.all(commands.map(async (command) => ({ ...(await describe(command)), keys: command.keys ?? [] })));
}

function assessById(id: string): { state: string; reason?: string } {
  const command = registry.get(id);
  if (!command) throw new CommandError('UNKNOWN_COMMAND', `there is no command ${id}`);
  if (findScopeProblem(id, context())) return { state: 'hidden' };
  const assessment = assess(command, context(), [], true);
  return assessment.state === 'blocked'
    ? { state: 'blocked', reason: t(assessment.reason, assessment.values) }
    : { state: assessment.state };
}

function answer({ method, name, input }: EngineCall): unknown {
  switch (method) {
    case 'open':
      return open();
    case 'list':
      return list();
    case 'assess':
      return assessById(name);
    case 'run':
      return run(name, input as ScriptOptions);
    case 'read':
      return readList(name, input as ListRequest);
    case 'get':
      return readRecord(name as EntityName, input as string);
    case 'options':
      return readOptions(name as CommandId, input as OptionsRequest);
  }
}

async function toError(cause: unknown, { method, name }: EngineCall): Promise<NonNullable<EngineAnswer['error']>> {
  if (cause instanceof PageRequired) return { code: 'NEEDS_PAGE', message: cause.message };
  if (cause instanceof CommandError) return explain(await buildScriptRefusal(cause, method === 'run' ? name : ''));
  if (cause instanceof ShellError) return { code: cause.code, message: cause.message };
  const { code, message, ...refusal } = cause as ScriptRefusal;
  return explain({ ...refusal, code: code ?? 'ERROR', message });
}

/** Says what is wrong with the token. The panel's texts are about sessions and accounts. */
function explain<R extends { code: string; message: string; data?: unknown }>(refusal: R): R {
  if (refusal.code === 'UNAUTHORIZED') return { ...refusal, message: `PANEL_TOKEN ${describeProblem(refusal.data)}` };
  if (refusal.code === 'FORBIDDEN')
    return { ...refusal, message: 'the token lacks the scope for this. Add a token with the scope' };
  return refusal;
}

async function reply(call: EngineCall): Promise<void> {
  const engineRun: EngineRun = { folder: call.folder, requests: [], saves: [], hasWritten: false };
  const { id } = call;
  const { requests } = engineRun;
  try {
    await textsReady;
    const result = await engineRuns.run(engineRun, async () => {
      const value = await answer(call);
      await finishSaves(engineRun);
      return value;
    });
    parentPort?.postMessage({ id, result: JSON.parse(JSON.stringify(result ?? null)), requests } satisfies EngineAnswer);
  } catch (cause) {
    parentPort?.postMessage({ id, error: await toError(cause, call), requests } satisfies EngineAnswer);
  }
}

sendTo(origin);
parentPort?.on('message', (call: EngineCall) => void reply(call));
