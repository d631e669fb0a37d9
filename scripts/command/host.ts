import { writeFile } from 'node:fs/promises';
import { CommandError } from '../../src/commands/engine/command-error.ts';
import type { Host } from '../../src/commands/engine/host.ts';
import { createApi } from '../../src/lib/net/client.ts';
import { waitForExports } from '../../src/lib/exports/save.ts';
import { setSaver } from '../../src/lib/net/download.ts';
import { t } from '../../src/lib/i18n/i18n.ts';
import { clearSession } from '../../src/lib/session/session.ts';
import { exitCodes, ShellError } from './command-output.ts';
import { createPagelessHost } from './pageless-host.ts';

interface Cookie {
  name: string;
  value: string;
}

/** Provides the location and cookies that the client reads in a browser. */
export function emulateBrowser(origin: string): { cookies: () => readonly Cookie[]; put: (cookie: Cookie) => void } {
  const cookieJar = new Map<string, string>();
  const originalFetch = globalThis.fetch;
  globalThis.fetch = async (requestInput, init) => {
    const url = new URL(requestInput instanceof Request ? requestInput.url : requestInput, origin);
    if (url.origin !== origin) return originalFetch(requestInput, init);
    const headers = new Headers(init?.headers);
    if (cookieJar.size > 0) headers.set('cookie', [...cookieJar].map(([name, value]) => `${name}=${value}`).join('; '));
    const response = await originalFetch(url, { ...init, headers, redirect: 'error' });
    for (const line of response.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
      if (/;\s*max-age=0/i.test(line)) cookieJar.delete(name);
      else cookieJar.set(name, value);
    }
    return response;
  };
  return {
    cookies: () => [...cookieJar].map(([name, value]) => ({ name, value })),
    put: ({ name, value }) => void cookieJar.set(name, value),
  };
}

interface SavedFiles {
  /** Waits for pending file writes and returns their errors. */
  saved: () => Promise<readonly ShellError[]>;
}

/** Prints where a page would navigate and saves downloads in the working directory. */
export function shellHost(origin: string, printLine: (line: string) => void): Host & SavedFiles {
  const rejectPageCommand = (): never => {
    throw new CommandError('BLOCKED', 'this command needs a browser page');
  };
  const pendingSaves: Promise<ShellError | null>[] = [];
  async function save(file: Blob, name: string): Promise<ShellError | null> {
    try {
      // Never overwrites a file.
      await writeFile(name, new Uint8Array(await file.arrayBuffer()), { flag: 'wx' });
      printLine(`saved ${name}`);
      return null;
    } catch (error) {
      const message = `could not save ${name}: ${(error as Error).message}`;
      printLine(message);
      return new ShellError('NOT_SAVED', exitCodes.failed, message);
    }
  }
  setSaver((file, name) => void pendingSaves.push(save(file, name)));
  return {
    ...createPagelessHost(rejectPageCommand),
    saved: async () => {
      await waitForExports();
      return (await Promise.all(pendingSaves.splice(0))).filter((error) => error !== null);
    },
    origin: () => origin,
    navigate: (path) => printLine(new URL(path, origin).href),
    openRecord: (screenPath, id) => printLine(new URL(`${screenPath}?open=${encodeURIComponent(id)}`, origin).href),
    openOutside: (url) => printLine(url),
    copy: async (text) => printLine(text),
    signOut: async () => {
      await createApi('session.signOut', null).session.signOut();
      clearSession();
    },
    notify: ({ key, values, field }) => printLine(t(key, field ? { ...values, label: t(field) } : values)),
    // Old recovery codes are already void, so the new ones must be printed. They go to no file. A token or a code is in the result.
    openFactor: (dialog) => {
      if (dialog.kind === 'token' || dialog.kind === 'cliCode') return;
      if (dialog.kind !== 'codes') return rejectPageCommand();
      printLine(['New recovery codes, shown only once:', ...dialog.codes].join('\n'));
    },
  };
}
