import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { demoAccounts, demoPassword } from '../../../server/seed/roles.ts';
import { scriptPath } from '../build.ts';
import type { BreakingProxy } from './breaking.ts';
import { waitForExpression, pollUntil, type OtherBrowser } from './browser.ts';

interface BrowserTourParts {
  readonly browser: OtherBrowser;
  readonly panel: BreakingProxy;
  readonly picture: string;
  readonly step: (name: string, runStep: () => Promise<void>) => Promise<void>;
}

const rows = 'document.querySelectorAll(\'[role="row"][aria-rowindex]:not([aria-rowindex="1"])\').length';
const dialog = '[...document.querySelectorAll(\'[role="dialog"]\')].find((one) => one.checkVisibility())';
const firstOptionText = 'document.querySelector("[data-palette] [role=option]")?.dataset.row';

/** Daily work by keyboard. */
export async function runBrowserTour({ browser, panel, picture, step }: BrowserTourParts): Promise<void> {
  const { url } = panel;
  const expectNoProblem = async () => {
    const problems = await browser.read<string[]>('window.problems ?? []');
    if (problems.length > 0) throw new Error(`${browser.version}: ${problems.join('; ')}`);
  };
  const open = async (path: string) => {
    await expectNoProblem();
    await browser.open(url + path);
    await listenForProblems(browser);
  };
  const runInPalette = async (id: string) => {
    await browser.press('Control+k');
    await waitForExpression(browser, 'document.activeElement.matches("[data-palette-input]")');
    await browser.type(id);
    await waitForExpression(browser, `${firstOptionText} === ${JSON.stringify(id)}`);
    await browser.press('Enter');
  };

  await step('sign in and keep typing before the panel is ready', async () => {
    await open('/login');
    await waitForExpression(browser, 'document.activeElement?.name === "email"');
    await browser.type(demoAccounts[0].email);
    await browser.press('Tab');
    await browser.type(demoPassword);
    await browser.press('Enter');
    await browser.type('gn');
    await waitForExpression(browser, `location.pathname === "/news" && ${rows} > 0`);
  });

  await step('palette', async () => {
    await runInPalette('go.feedback');
    await waitForExpression(browser, `location.pathname === "/feedback" && ${rows} > 0`);
    await browser.type('gn');
    await waitForExpression(browser, `location.pathname === "/news" && ${rows} > 0`);
  });

  const title = `Trip ${browser.version}`;
  const row = `[...document.querySelectorAll('[role="row"]')].find((one) => one.textContent.includes(${JSON.stringify(title)}))`;
  await step('form and upload', async () => {
    await browser.press('c');
    await waitForExpression(
      browser,
      `${dialog}?.contains(document.activeElement) && document.activeElement.closest("[data-field]")`,
    );
    await browser.type(title);
    await browser.press('Tab');
    await browser.type('Seen by another engine.');
    await browser.choose(picture);
    await waitForExpression(
      browser,
      `[...${dialog}.querySelectorAll("input")].some(({ value }) => /\\/pictures\\//.test(value))`,
    );
    const isLinkFocused = 'document.activeElement.matches("[data-field$=\\"-link\\"] input")';
    for (let tabs = 0; tabs < 8 && !(await browser.read<boolean>(isLinkFocused)); tabs++) await browser.press('Tab');
    await browser.type('https://www.example.com/trip');
    await browser.press('Control+Enter');
    await waitForExpression(browser, `!${dialog} && ${row}`);
  });

  await step('a command by its key, confirmed and undone', async () => {
    const isPublished = async () => (await (await fetch(`${url}/public/news?limit=50`)).text()).includes(title);
    await waitForExpression(browser, `document.querySelector("[data-cursor]")?.textContent.includes(${JSON.stringify(title)})`);
    await browser.press('s');
    await waitForExpression(browser, 'document.querySelector(\'[role="alertdialog"]\')?.contains(document.activeElement)');
    await browser.press('Enter');
    await pollUntil('it is published', isPublished);
    await browser.press('Control+z');
    await pollUntil('it is published no more', async () => !(await isPublished()));
  });

  await step('export', async () => {
    await open('/audit?entity=news');
    await waitForExpression(browser, `${rows} > 1`);
    await runInPalette('audit.export');
    await waitForExpression(browser, 'document.querySelector("[data-palette] [role=option]")?.textContent.includes("XLSX")');
    await browser.type('csv');
    await waitForExpression(browser, 'document.querySelector("[data-palette] [role=option]")?.textContent.includes("CSV")');
    await browser.press('Enter');
    await pollUntil('the file is saved whole', async () => {
      const name = (await readdir(browser.downloads)).find((fileName) => /^audit-.*\.csv$/.test(fileName));
      const text = name === undefined ? '' : await readFile(join(browser.downloads, name), 'utf8');
      return text.includes(title) && text.endsWith('\r\n') && text.split('\r\n').length > 3;
    });
  });

  await step('charts', async () => {
    await open('/statistics/dataView');
    const isCanvasDrawn = `[...document.querySelectorAll("canvas")].filter((one) => one.width > 0 &&
      one.getContext("2d").getImageData(0, 0, one.width, one.height).data.some((value) => value > 0)).length`;
    await waitForExpression(browser, `${isCanvasDrawn} > 0`);
  });

  // Each engine caches failed imports differently.
  for (const [accessKind, path, source] of [
    ['missing', '/points', 'src/views/rewards/points/screen.tsx'],
    ['cut off', '/notices', 'src/views/notices/screen.tsx'],
  ] as const)
    await step(`a screen whose script is ${accessKind} comes in its place once it is there`, async () => {
      panel.breaks(scriptPath(source), accessKind);
      await open('/');
      await waitForExpression(browser, `document.querySelector('nav a[href="${path}"]')`);
      await browser.read(`void document.querySelector('nav a[href="${path}"]').click()`);
      await waitForExpression(
        browser,
        'document.querySelector("main [role=alert]")?.textContent.includes("Loading chunk failed")',
      );
      panel.mend();
      await browser.read('void (window.stillHere = true)');
      await browser.read('void document.querySelector("main [role=alert] button").click()');
      await waitForExpression(browser, `location.pathname === "${path}" && ${rows} > 0`);
      if (!(await browser.read<boolean>('window.stillHere === true'))) throw new Error(`${browser.version} took a new page`);
    });

  await step('language', async () => {
    const langBefore = await browser.read<string>('document.documentElement.lang');
    await expectNoProblem();
    await runInPalette('language.switch');
    await waitForExpression(
      browser,
      `document.documentElement.lang !== ${JSON.stringify(langBefore)} && document.querySelector("h1")`,
    );
  });
}

const listenForProblems = (browser: OtherBrowser): Promise<unknown> =>
  browser.read(`(() => {
    window.problems = [];
    addEventListener("error", ({ message }) => window.problems.push(message));
    addEventListener("unhandledrejection", ({ reason }) => window.problems.push(String(reason)));
    addEventListener("securitypolicyviolation", ({ violatedDirective }) => window.problems.push(violatedDirective));
  })()`);
