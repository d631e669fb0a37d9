import { spawn, type ChildProcess } from 'node:child_process';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findFreePort } from '../../../chain/free-port.ts';
import { requireProgram } from '../../../scripts/suite/debian.mjs';
import type { OtherBrowser } from './browser.ts';

/** https://www.w3.org/TR/webdriver2/#keyboard-actions */
const keysByName: Readonly<Record<string, string>> = {
  Control: '\uE009',
  Shift: '\uE008',
  Alt: '\uE00A',
  Enter: '\uE007',
  Escape: '\uE00C',
  Tab: '\uE004',
};
const elementKey = 'element-6066-11e4-a52e-4f735466cecf';

/** Debian's WebKitGTK MiniBrowser by WebDriver. Throws if unavailable. */
export async function startWebKit(): Promise<OtherBrowser> {
  await requireProgram('xvfb-run', 'xvfb');
  await requireProgram('WebKitWebDriver', 'webkit2gtk-driver');
  const homeFolder = await mkdtemp(join(tmpdir(), 'panel-webkit-'));
  const downloads = join(homeFolder, 'Downloads');
  await mkdir(join(homeFolder, '.config'), { recursive: true });
  await mkdir(downloads);
  await writeFile(join(homeFolder, '.config/user-dirs.dirs'), 'XDG_DOWNLOAD_DIR="$HOME/Downloads"\n');

  const displayProcess = spawn('Xvfb', ['-displayfd', '3', '-screen', '0', '1440x900x24'], {
    stdio: ['ignore', 'ignore', 'ignore', 'pipe'],
  });
  const display = await readFirstLine(displayProcess);
  const port = await findFreePort();
  // LANG=C.UTF-8 would make "C" its language, an invalid tag.
  const driverProcess = spawn('WebKitWebDriver', [`--port=${port}`], {
    stdio: 'ignore',
    env: {
      PATH: process.env['PATH'],
      HOME: homeFolder,
      DISPLAY: `:${display}`,
      LANG: 'C.UTF-8',
      WEBKIT_DISABLE_COMPOSITING_MODE: '1',
    },
  });
  const request = createDriverClient(`http://127.0.0.1:${port}`);
  const { sessionId, capabilities } = await retryUntilUp(() =>
    request<{ sessionId: string; capabilities: Record<string, string> }>('POST', '/session', { capabilities: {} }),
  );
  const sessionPath = `/session/${sessionId}`;
  await request('POST', `${sessionPath}/window/rect`, { x: 0, y: 0, width: 1440, height: 900 });
  const keys = (keyActions: readonly { type: 'keyDown' | 'keyUp'; value: string }[]) =>
    request<void>('POST', `${sessionPath}/actions`, { actions: [{ type: 'key', id: 'keyboard', actions: keyActions }] });
  const createStrokes = (values: readonly string[]) => [
    ...values.map((value) => ({ type: 'keyDown', value }) as const),
    ...values.toReversed().map((value) => ({ type: 'keyUp', value }) as const),
  ];
  return {
    version: `${capabilities['browserName']} ${capabilities['browserVersion']}`,
    downloads,
    open: (url) => request('POST', `${sessionPath}/url`, { url }),
    press: (keysText) => keys(createStrokes(keysText.split('+').map((key) => keysByName[key] ?? key))),
    type: (text) => keys([...text].flatMap((letter) => createStrokes([letter]))),
    async choose(file) {
      const field = await request<Record<string, string>>('POST', `${sessionPath}/element`, {
        using: 'css selector',
        value: 'input[type=file]',
      });
      await request('POST', `${sessionPath}/element/${field[elementKey]}/value`, { text: file });
    },
    read: <T>(expression: string) =>
      request<T>('POST', `${sessionPath}/execute/sync`, { script: `return ${expression}`, args: [] }),
    async close() {
      await request('DELETE', sessionPath).catch(() => {});
      await Promise.all([driverProcess, displayProcess].map(terminate));
      await rm(homeFolder, { recursive: true, force: true });
    },
  };
}

function createDriverClient(origin: string) {
  return async <T>(method: string, path: string, body?: object): Promise<T> => {
    const response = await fetch(origin + path, { method, ...(body && { body: JSON.stringify(body) }) });
    const { value } = (await response.json()) as { value: T & { error?: string; message?: string } };
    if (!response.ok) throw new Error(`${path}: ${value.error}: ${value.message}`);
    return value;
  };
}

async function retryUntilUp<T>(attempt: () => Promise<T>, maxAttempts = 50): Promise<T> {
  try {
    return await attempt();
  } catch (error) {
    if (maxAttempts === 0 || !(error instanceof TypeError)) throw error;
    await new Promise((resolve) => setTimeout(resolve, 100));
    return retryUntilUp(attempt, maxAttempts - 1);
  }
}

const readFirstLine = (process: ChildProcess): Promise<string> =>
  new Promise((resolve, reject) => {
    process.stdio[3]?.once('data', (line: Buffer) => resolve(line.toString().trim()));
    process.once('exit', (code) => reject(new Error(`Xvfb ended (${code})`)));
  });

function terminate(process: ChildProcess): Promise<void> {
  return new Promise((resolve) => {
    process.once('exit', () => resolve());
    process.kill('SIGTERM');
  });
}
