import { AsyncLocalStorage } from 'node:async_hooks';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { EngineAnswer } from '../../../qa/kit/engine.ts';
import { CommandError } from '../../../src/commands/engine/command-error.ts';
import type { Host } from '../../../src/commands/engine/host.ts';
import { waitForExports } from '../../../src/lib/exports/save.ts';
import { setSaver } from '../../../src/lib/net/download.ts';
import { createPagelessHost } from '../../command/pageless-host.ts';

/** What a call of the suite has sent and saved. */
export interface EngineRun {
  readonly folder: string;
  readonly requests: EngineAnswer['requests'];
  readonly saves: Promise<void>[];
  /** Whether it may have changed something. */
  hasWritten: boolean;
}

export const engineRuns = new AsyncLocalStorage<EngineRun>();

/** The command opens, copies or shows something. */
export class PageRequired extends CommandError {
  constructor() {
    super('BLOCKED', 'this command needs a page, and a page needs a person. Run the test with an account instead of PANEL_TOKEN');
  }
}

/** Sends relative addresses to the panel, and notes them in the call that sent them. */
export function sendTo(origin: string): void {
  const originalFetch = globalThis.fetch;
  globalThis.fetch = async (input, init) => {
    const url = new URL(input instanceof Request ? input.url : input, origin);
    if (url.origin !== origin) throw new TypeError(`${url.origin} isn’t the panel`);
    const run = engineRuns.getStore();
    if (run && new Headers(init?.headers).has('idempotency-key')) run.hasWritten = true;
    const response = await originalFetch(url, { ...init, redirect: 'error' });
    if (url.pathname.startsWith('/rpc/'))
      run?.requests.push({
        route: url.pathname.slice(5),
        status: response.status,
        requestId: response.headers.get('x-request-id'),
      });
    return response;
  };
}

const rejectPageCommand = (): never => {
  throw new PageRequired();
};
/** A change has been made by then, so the command isn't refused. */
const skipAfterChange = (): void => {
  if (!engineRuns.getStore()?.hasWritten) throw new PageRequired();
};

export function createEngineHost(origin: string): Host {
  setSaver((file, name) => {
    const run = engineRuns.getStore();
    run?.saves.push(save(file, run.folder, name));
  });
  return {
    ...createPagelessHost(rejectPageCommand),
    origin: () => origin,
    navigate: skipAfterChange,
    openRecord: skipAfterChange,
    openOutside: rejectPageCommand,
    copy: async () => rejectPageCommand(),
    signOut: async () => {
      throw new CommandError('NOT_FOR_SERVICES', 'a token has no session');
    },
    notify: () => {},
    openFactor: rejectPageCommand,
  };
}

async function save(file: Blob, folder: string, name: string): Promise<void> {
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, name), new Uint8Array(await file.arrayBuffer()));
}

/** Files of exports are complete when the command resolves. */
export async function finishSaves(run: EngineRun): Promise<void> {
  await waitForExports();
  await Promise.all(run.saves);
}
