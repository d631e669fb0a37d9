import { writeFile } from 'node:fs/promises';
import { CommandError } from '../../src/commands/engine/command-error.ts';
import type { Host } from '../../src/commands/engine/host.ts';
import { apiFor } from '../../src/lib/net/client.ts';
import { allExportsEnd } from '../../src/lib/exports/save.ts';
import { setSaver } from '../../src/lib/net/download.ts';
import { t } from '../../src/lib/i18n/i18n.ts';
import { clearSession } from '../../src/lib/session/session.ts';
import { exitCodes, ShellError } from './command-output.ts';

interface Cookie {
  name: string;
  value: string;
}

/** Provides the location and cookies that the client reads in a browser. */
export function beBrowserOf(origin: string): { cookies: () => readonly Cookie[]; put: (cookie: Cookie) => void } {
  const jar = new Map<string, string>();
  const bare = globalThis.fetch;
  globalThis.fetch = async (requested, init) => {
    const url = new URL(requested instanceof Request ? requested.url : requested, origin);
    if (url.origin !== origin) return bare(requested, init);
    const headers = new Headers(init?.headers);
    if (jar.size > 0) headers.set('cookie', [...jar].map(([name, value]) => `${name}=${value}`).join('; '));
    const answer = await bare(url, { ...init, headers, redirect: 'error' });
    for (const line of answer.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
      if (/;\s*max-age=0/i.test(line)) jar.delete(name);
      else jar.set(name, value);
    }
    return answer;
  };
  return {
    cookies: () => [...jar].map(([name, value]) => ({ name, value })),
    put: ({ name, value }) => void jar.set(name, value),
  };
}

interface Saving {
  /** Waits for pending file writes and returns their errors. */
  saved: () => Promise<readonly ShellError[]>;
}

/** Prints where a page would navigate and saves downloads in the working directory. */
export function shellHost(origin: string, say: (line: string) => void): Host & Saving {
  const needsPage = (): never => {
    throw new CommandError('BLOCKED', 'this command needs a browser page');
  };
  const saving: Promise<ShellError | null>[] = [];
  async function save(file: Blob, name: string): Promise<ShellError | null> {
    try {
      // Never overwrites a file.
      await writeFile(name, new Uint8Array(await file.arrayBuffer()), { flag: 'wx' });
      say(`saved ${name}`);
      return null;
    } catch (error) {
      const message = `could not save ${name}: ${(error as Error).message}`;
      say(message);
      return new ShellError('NOT_SAVED', exitCodes.failed, message);
    }
  }
  setSaver((file, name) => void saving.push(save(file, name)));
  return {
    saved: async () => {
      await allExportsEnd();
      return (await Promise.all(saving.splice(0))).filter((error) => error !== null);
    },
    list: null,
    here: () => '/',
    origin: () => origin,
    navigate: (to) => say(new URL(to, origin).href),
    openRecord: (place, id) => say(new URL(`${place}?open=${encodeURIComponent(id)}`, origin).href),
    openOutside: (url) => say(url),
    copy: async (text) => say(text),
    signOut: async () => {
      await apiFor('session.signOut', null).session.signOut();
      clearSession();
    },
    notify: ({ key, values, field }) => say(t(key, field ? { ...values, label: t(field) } : values)),
    refresh: async () => {},
    release: () => {},
    reach: async () => null,
    showPictures: needsPage,
    openPalette: needsPage,
    openKeys: needsPage,
    switchLanguage: needsPage,
    setTheme: needsPage,
    setDensity: needsPage,
    toggleSidebar: needsPage,
    toggleSingleKeys: needsPage,
    showExact: needsPage,
    ownKeys: async () => needsPage(),
    print: needsPage,
    // Old recovery codes are already void, so the new ones must be printed. They go to no file.
    openFactor: (dialog) => {
      if (dialog.kind !== 'codes') return needsPage();
      say(['New recovery codes, shown only once:', ...dialog.codes].join('\n'));
    },
    undo: async () => needsPage(),
    repeat: async () => needsPage(),
    retry: async () => needsPage(),
    // Only people are asked. Dispatch never asks a script.
    collect: needsPage,
    confirm: async () => needsPage(),
    confirmFactor: async () => needsPage(),
  };
}
