import { spawn, type ChildProcess } from 'node:child_process';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from '../../../chain/free-port.ts';
import { requireProgram } from '../../../scripts/suite/debian.mjs';
import type { OtherBrowser } from './browser.ts';

/** https://www.w3.org/TR/webdriver2/#keyboard-actions */
const named: Readonly<Record<string, string>> = {
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
  const home = await mkdtemp(join(tmpdir(), 'panel-webkit-'));
  const downloads = join(home, 'Downloads');
  await mkdir(join(home, '.config'), { recursive: true });
  await mkdir(downloads);
  await writeFile(join(home, '.config/user-dirs.dirs'), 'XDG_DOWNLOAD_DIR="$HOME/Downloads"\n');

  const screen = spawn('Xvfb', ['-displayfd', '3', '-screen', '0', '1440x900x24'], {
    stdio: ['ignore', 'ignore', 'ignore', 'pipe'],
  });
  const display = await firstLine(screen);
  const port = await freePort();
  // LANG=C.UTF-8 would make "C" its language, an invalid tag.
  const driver = spawn('WebKitWebDriver', [`--port=${port}`], {
    stdio: 'ignore',
    env: { PATH: process.env['PATH'], HOME: home, DISPLAY: `:${display}`, LANG: 'C.UTF-8', WEBKIT_DISABLE_COMPOSITING_MODE: '1' },
  });
  const ask = asker(`http://127.0.0.1:${port}`);
  const { sessionId, capabilities } = await whenUp(() =>
    ask<{ sessionId: string; capabilities: Record<string, string> }>('POST', '/session', { capabilities: {} }),
  );
  const at = `/session/${sessionId}`;
  await ask('POST', `${at}/window/rect`, { x: 0, y: 0, width: 1440, height: 900 });
  const keys = (actions: readonly { type: 'keyDown' | 'keyUp'; value: string }[]) =>
    ask<void>('POST', `${at}/actions`, { actions: [{ type: 'key', id: 'keyboard', actions }] });
  const strokes = (values: readonly string[]) => [
    ...values.map((value) => ({ type: 'keyDown', value }) as const),
    ...values.toReversed().map((value) => ({ type: 'keyUp', value }) as const),
  ];
  return {
    version: `${capabilities['browserName']} ${capabilities['browserVersion']}`,
    downloads,
    open: (url) => ask('POST', `${at}/url`, { url }),
    press: (pressed) => keys(strokes(pressed.split('+').map((key) => named[key] ?? key))),
    type: (text) => keys([...text].flatMap((letter) => strokes([letter]))),
    async choose(file) {
      const field = await ask<Record<string, string>>('POST', `${at}/element`, {
        using: 'css selector',
        value: 'input[type=file]',
      });
      await ask('POST', `${at}/element/${field[elementKey]}/value`, { text: file });
    },
    read: <T>(expression: string) => ask<T>('POST', `${at}/execute/sync`, { script: `return ${expression}`, args: [] }),
    async close() {
      await ask('DELETE', at).catch(() => {});
      await Promise.all([driver, screen].map(end));
      await rm(home, { recursive: true, force: true });
    },
  };
}

function asker(origin: string) {
  return async <T>(method: string, path: string, body?: object): Promise<T> => {
    const response = await fetch(origin + path, { method, ...(body && { body: JSON.stringify(body) }) });
    const { value } = (await response.json()) as { value: T & { error?: string; message?: string } };
    if (!response.ok) throw new Error(`${path}: ${value.error}: ${value.message}`);
    return value;
  };
}

async function whenUp<T>(work: () => Promise<T>, tries = 50): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (tries === 0 || !(error instanceof TypeError)) throw error;
    await new Promise((resolve) => setTimeout(resolve, 100));
    return whenUp(work, tries - 1);
  }
}

const firstLine = (process: ChildProcess): Promise<string> =>
  new Promise((resolve, reject) => {
    process.stdio[3]?.once('data', (line: Buffer) => resolve(line.toString().trim()));
    process.once('exit', (code) => reject(new Error(`Xvfb ended (${code})`)));
  });

function end(process: ChildProcess): Promise<void> {
  return new Promise((resolve) => {
    process.once('exit', () => resolve());
    process.kill('SIGTERM');
  });
}
