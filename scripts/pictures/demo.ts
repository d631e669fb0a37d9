// npm run demo [-- --only hide,undo --frames folder]: ten jobs of a usual day, played in a real browser by keyboard alone and
// then by mouse, on a server and a database of its own. Prints how many presses and clicks each takes and the time; with
// --frames every frame the browser drew is kept as a picture, named by job, way and millisecond.
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import type { Locator, Page } from 'playwright';
import type { CommandId } from '../../api/names.ts';
import { startServer } from '../../server/testing/process.ts';
import { launchBrowser } from '../suite/browser.mjs';
import { signInDemo } from '../command/signed-in.ts';

const { values: options } = parseArgs({ options: { only: { type: 'string' }, frames: { type: 'string' } } });

/** One pair of hands: everything they do is counted. Waiting for what a person would see is not. */
class Hands {
  readonly page: Page;
  presses = 0;
  letters = 0;
  clicks = 0;
  points = 0;
  /** Times a hand went from the keyboard to the mouse or back. */
  moves = 0;
  #at: 'keyboard' | 'mouse';
  constructor(page: Page, at: 'keyboard' | 'mouse') {
    this.page = page;
    this.#at = at;
  }
  async press(...keys: string[]): Promise<void> {
    for (const key of keys) {
      this.#go('keyboard');
      this.presses += key.split('+').length;
      await this.page.keyboard.press(key);
    }
  }
  async type(text: string): Promise<void> {
    this.#go('keyboard');
    this.letters += text.length;
    await this.page.keyboard.type(text);
  }
  async click(what: Locator): Promise<void> {
    this.#go('mouse');
    this.clicks++;
    this.points++;
    await what.click();
  }
  #go(to: 'keyboard' | 'mouse'): void {
    if (this.#at !== to) this.moves++;
    this.#at = to;
  }
  /**
   * Seconds by the Keystroke-Level Model (Card, Moran and Newell 1980) without thinking, which both ways need alike:
   * 0.28 a key, 1.1 to point, 0.2 to click, 0.4 for a hand to change places.
   */
  get seconds(): number {
    return (this.presses + this.letters) * 0.28 + this.points * 1.1 + this.clicks * 0.2 + this.moves * 0.4;
  }
}

interface Job {
  what: string;
  keyboard: (hands: Hands) => Promise<void>;
  mouse: (hands: Hands) => Promise<void>;
}

const rows = (page: Page) =>
  page
    .getByRole('grid')
    .locator('[role="row"]')
    .filter({ has: page.locator('[data-column]') });
const form = (page: Page) => page.locator('[role="dialog"]:visible').last();
const ask = (page: Page) => page.getByRole('alertdialog');
const row = (page: Page, text: string) => rows(page).filter({ hasText: text }).first();
const button = (page: Page, id: CommandId) => page.locator(`[data-command="${id}"]:visible`).last();

async function goTo(hands: Hands, letter: string): Promise<void> {
  await hands.press('g', letter);
  await rows(hands.page).first().waitFor();
}
async function openByMenu(hands: Hands, path: string): Promise<void> {
  await hands.click(hands.page.getByRole('navigation').locator(`a[href="${path}"]`));
  await rows(hands.page).first().waitFor();
}
/** Yes to a question: where it can be taken back Enter is enough, else the focus is on Cancel. */
async function confirmByKey(hands: Hands): Promise<void> {
  await ask(hands.page).waitFor();
  const isOnCancel = await ask(hands.page)
    .getByRole('button', { name: '取消' })
    .evaluate((cancel) => cancel === document.activeElement);
  await hands.press(...(isOnCancel ? ['Tab'] : []), 'Enter');
  await ask(hands.page).waitFor({ state: 'detached' });
}
async function confirmByMouse(hands: Hands): Promise<void> {
  await hands.click(ask(hands.page).getByRole('button').last());
  await ask(hands.page).waitFor({ state: 'detached' });
}
const submit = (hands: Hands, name: string) =>
  hands.click(
    form(hands.page)
      .getByRole('button', { name: new RegExp(name) })
      .last(),
  );

/** Tabs through a form and types what is to be typed, field by field. */
async function fillByKey(hands: Hands, fields: Readonly<Record<string, string>>): Promise<void> {
  for (const [label, text] of Object.entries(fields)) {
    const field = form(hands.page).getByRole('textbox', { name: label });
    await field.waitFor();
    while (!(await field.evaluate((input) => input === document.activeElement))) await hands.press('Tab');
    await hands.type(text);
  }
  await hands.press('Control+Enter');
}
async function fillByMouse(hands: Hands, fields: Readonly<Record<string, string>>): Promise<void> {
  for (const [label, text] of Object.entries(fields)) {
    await hands.click(form(hands.page).getByRole('textbox', { name: label }));
    await hands.type(text);
  }
}
async function search(hands: Hands, text: string, way: 'keyboard' | 'mouse'): Promise<void> {
  if (way === 'keyboard') await hands.press('/');
  else await hands.click(hands.page.getByRole('search').getByRole('textbox').first());
  await hands.type(text);
  await hands.press('Enter');
  await row(hands.page, text).waitFor();
}

const newsFields = (title: string) => ({
  标题: title,
  描述: '正文',
  图片地址: 'https://example.com/a.png',
  链接: 'https://example.com/x',
});
const pointsFields = { 地址: '0x00000000219ab540356cbb839cbe05303d7705fa', 积分: '500', 原因: '活动奖励' };

const jobs: Record<string, Job> = {
  publish: {
    what: 'Write a news item and show it on the website',
    keyboard: async (hands) => {
      await goTo(hands, 'n');
      await hands.press('c');
      await fillByKey(hands, newsFields('键盘一号'));
      await hands.page.locator('[data-cursor]').filter({ hasText: '键盘一号' }).waitFor();
      await hands.press('s');
      await confirmByKey(hands);
    },
    mouse: async (hands) => {
      await openByMenu(hands, '/news');
      await hands.click(button(hands.page, 'news.add'));
      await fillByMouse(hands, newsFields('鼠标一号'));
      await submit(hands, '新增新闻');
      await hands.click(row(hands.page, '鼠标一号').getByRole('checkbox'));
      await hands.click(button(hands.page, 'news.show'));
      await confirmByMouse(hands);
    },
  },
  undo: {
    what: 'Take a news item off the website, and back again',
    keyboard: async (hands) => {
      await goTo(hands, 'n');
      await hands.press('j', 'h');
      await confirmByKey(hands);
      const shown = rows(hands.page).first().getByText('展示', { exact: true });
      await shown.waitFor({ state: 'detached' });
      await hands.press('Control+z');
      await shown.waitFor();
    },
    mouse: async (hands) => {
      await openByMenu(hands, '/news');
      await hands.click(rows(hands.page).first().getByRole('checkbox'));
      await hands.click(button(hands.page, 'news.hide'));
      await confirmByMouse(hands);
      await hands.click(hands.page.getByRole('button', { name: '撤销' }).last());
      await rows(hands.page).first().getByText('展示', { exact: true }).waitFor();
    },
  },
  correct: {
    what: 'Find a news item by its title and correct it',
    keyboard: async (hands) => {
      await hands.press('Control+k');
      await hands.page.locator('[data-palette-input]').waitFor();
      await hands.type('键盘一');
      const found = hands.page.locator('[data-palette] [data-row^="news:"]').first();
      await found.waitFor();
      while ((await found.getAttribute('aria-selected')) !== 'true') await hands.press('ArrowDown');
      await hands.press('Enter');
      await hands.page.locator('[data-record]').waitFor();
      await hands.press('e');
      const title = form(hands.page).getByRole('textbox', { name: '标题' });
      await title.waitFor();
      await hands.press('End');
      await hands.type('!');
      await hands.press('Control+Enter');
      await title.waitFor({ state: 'detached' });
    },
    mouse: async (hands) => {
      await openByMenu(hands, '/news');
      await search(hands, '鼠标一', 'mouse');
      await hands.click(row(hands.page, '鼠标一').getByRole('button', { name: /的操作/ }));
      await hands.click(hands.page.getByRole('menuitem', { name: /编辑新闻/ }));
      const title = form(hands.page).getByRole('textbox', { name: '标题' });
      await hands.click(title);
      await hands.press('End');
      await hands.type('!');
      await submit(hands, '编辑新闻');
      await title.waitFor({ state: 'detached' });
    },
  },
  delete: {
    what: 'Delete two news items at once',
    keyboard: async (hands) => {
      await goTo(hands, 'n');
      await hands.press('End', 'x', 'Shift+K', '#');
      await confirmByKey(hands);
    },
    mouse: async (hands) => {
      await openByMenu(hands, '/news');
      for (const at of [-1, -2]) await hands.click(rows(hands.page).nth(at).getByRole('checkbox'));
      await hands.click(button(hands.page, 'news.delete'));
      await confirmByMouse(hands);
    },
  },
  process: {
    what: 'Mark the newest feedback processed',
    keyboard: async (hands) => {
      await goTo(hands, 'f');
      await hands.press('j', 'p');
      await confirmByKey(hands);
    },
    mouse: async (hands) => {
      await openByMenu(hands, '/feedback');
      await hands.click(row(hands.page, '未处理').getByRole('checkbox'));
      await hands.click(button(hands.page, 'feedback.process'));
      await confirmByMouse(hands);
    },
  },
  triage: {
    what: 'Read five pieces of feedback and mark each processed',
    keyboard: async (hands) => {
      await goTo(hands, 'f');
      await hands.press('t');
      await five(hands, () => hands.press('d'));
    },
    mouse: async (hands) => {
      await openByMenu(hands, '/feedback');
      await hands.click(button(hands.page, 'feedback.triage'));
      await five(hands, () => hands.click(button(hands.page, 'feedback.processNext')));
    },
  },
  points: {
    what: 'Give an address points',
    keyboard: async (hands) => {
      await goTo(hands, 'p');
      await hands.press('c');
      await fillByKey(hands, pointsFields);
      await confirmByKey(hands);
    },
    mouse: async (hands) => {
      await openByMenu(hands, '/points');
      await hands.click(button(hands.page, 'points.adjust'));
      await fillByMouse(hands, pointsFields);
      await submit(hands, '调整积分');
      await confirmByMouse(hands);
    },
  },
  disable: {
    what: 'Find a colleague and disable the account',
    keyboard: async (hands) => {
      await goTo(hands, 'm');
      await search(hands, 'analyst', 'keyboard');
      await hands.press('j', 'd');
      await confirmByKey(hands);
    },
    mouse: async (hands) => {
      await openByMenu(hands, '/permissions/administrator');
      await search(hands, 'editor', 'mouse');
      await hands.click(row(hands.page, 'editor').getByRole('checkbox'));
      await hands.click(button(hands.page, 'administrators.disable'));
      await confirmByMouse(hands);
    },
  },
  audit: {
    what: 'Look up in the audit what a colleague did last',
    keyboard: async (hands) => {
      await goTo(hands, 'u');
      await hands.press('f', 'a', 'd', 'Enter');
      await hands.page.locator('[data-filter="actor"]').waitFor();
      await hands.press('j', 'Enter');
      await hands.page.locator('[data-record]').waitFor();
    },
    mouse: async (hands) => {
      await openByMenu(hands, '/audit');
      await hands.click(button(hands.page, 'list.addFilter'));
      await hands.click(hands.page.getByRole('option').first());
      await hands.click(hands.page.getByRole('option', { name: 'admin@' }));
      await hands.click(rows(hands.page).first());
      await hands.page.locator('[data-record]').waitFor();
    },
  },
  language: {
    what: 'Go to the overview and read it in English',
    keyboard: async (hands) => {
      await hands.press('g', 'o');
      await hands.page.waitForURL('**/overview');
      await hands.press('g', 'i');
      await hands.page.getByRole('heading', { level: 1, name: 'Data Overview' }).waitFor();
    },
    mouse: async (hands) => {
      await hands.click(hands.page.getByRole('navigation').locator('a[href="/overview"]'));
      await hands.page.waitForURL('**/overview');
      await hands.click(button(hands.page, 'language.switch'));
      await hands.page.getByRole('heading', { level: 1, name: 'Data Overview' }).waitFor();
    },
  },
};

/** Five times, each once the next piece is there to be read. */
async function five({ page }: Hands, act: () => Promise<void>): Promise<void> {
  const article = page.locator('[data-triage] article');
  for (let times = 0; times < 5; times++) {
    await article.waitFor();
    const read = await article.textContent();
    await act();
    await page.waitForFunction((text) => document.querySelector('[data-triage] article')?.textContent !== text, read);
  }
}

const dataDir = await mkdtemp(join(tmpdir(), 'demo-'));
const server = startServer(dataDir, { DEVNET: 'off' });
const browser = await launchBrowser();
const table: Record<string, string | number>[] = [];
try {
  const url = (await server.ready).replace('127.0.0.1', 'localhost');
  for (const [name, job] of Object.entries(jobs)) {
    if (options.only && !options.only.split(',').includes(name)) continue;
    const keyboard = await play(url, name, job, 'keyboard');
    const mouse = await play(url, name, job, 'mouse');
    table.push({
      job: job.what,
      'keys pressed': keyboard.presses,
      'by mouse: clicks': mouse.clicks,
      'and keys': mouse.presses,
      'letters typed (keyboard, mouse)': `${keyboard.letters}, ${mouse.letters}`,
      'by keyboard, s': keyboard.seconds.toFixed(1),
      'by mouse, s': mouse.seconds.toFixed(1),
      'mouse ÷ keyboard': (mouse.seconds / keyboard.seconds).toFixed(1),
      'panel at work, s (keyboard, mouse)': `${(keyboard.waited / 1000).toFixed(1)}, ${(mouse.waited / 1000).toFixed(1)}`,
    });
  }
} finally {
  await browser.close();
  server.child.kill('SIGTERM');
  await server.ended;
  await rm(dataDir, { recursive: true, force: true });
}
const heads = Object.keys(table[0] ?? {});
console.log(`| ${heads.join(' | ')} |\n|${heads.map((_, at) => (at === 0 ? '---' : '---:')).join('|')}|`);
for (const line of table) console.log(`| ${Object.values(line).join(' | ')} |`);

/** Plays one job from Home on, signed in anew; answers what the hands did and how long it took without pauses. */
async function play(url: string, name: string, job: Job, way: 'keyboard' | 'mouse'): Promise<Hands & { waited: number }> {
  const context = await browser.newContext({
    locale: 'zh-CN',
    viewport: { width: 1440, height: 900 },
    timezoneId: 'Asia/Shanghai',
  });
  const page = await context.newPage();
  page.setDefaultTimeout(20_000);
  await signInDemo(page, url);
  await page.goto(url);
  await page.waitForFunction(() => window.admin !== undefined);
  const stop = options.frames ? await keepFrames(page, options.frames, `${name}.${way}`) : async () => {};
  const hands = new Hands(page, way);
  const began = performance.now();
  try {
    await job[way](hands);
  } catch (error) {
    await page.screenshot({ path: join(tmpdir(), `demo-${name}-${way}.png`) });
    throw new Error(`${name} by ${way} went wrong`, { cause: error });
  }
  const waited = performance.now() - began;
  if (way === 'keyboard' && hands.clicks > 0) throw new Error(`${name} took the mouse`);
  await stop();
  await context.close();
  return Object.assign(hands, { waited });
}

/** Writes every frame the browser draws, until stopped. */
async function keepFrames(page: Page, folder: string, name: string): Promise<() => Promise<void>> {
  await mkdir(folder, { recursive: true });
  const cdp = await page.context().newCDPSession(page);
  const writes: Promise<void>[] = [];
  const began = performance.now();
  cdp.on('Page.screencastFrame', ({ data, sessionId }) => {
    const at = String(Math.round(performance.now() - began)).padStart(6, '0');
    writes.push(writeFile(join(folder, `${name}.${at}.jpg`), Buffer.from(data, 'base64')));
    void cdp.send('Page.screencastFrameAck', { sessionId });
  });
  await cdp.send('Page.startScreencast', { format: 'jpeg', quality: 70 });
  return async () => {
    await page.waitForTimeout(500); // the last frame
    await cdp.send('Page.stopScreencast');
    await Promise.all(writes);
  };
}
