import type { Page } from 'playwright/test';
import { flatMenu } from '../api/routes.ts';
import { allNames as names } from '../api/all-names.ts';
import type { CommandId } from '../api/names.ts';
import { registry } from '../src/commands/all.ts';
import { expect, pressKeys, test, type Admin } from './fixtures.ts';

const dialogs = (page: Page) => page.locator('[role="dialog"]:visible, [role="alertdialog"]:visible');
const rows = (page: Page) => page.locator('[role="row"][aria-rowindex]:not([aria-rowindex="1"])');
const cursor = (page: Page) => page.locator('[role="row"][data-cursor]');
const checked = (page: Page) => page.locator('[role="row"][data-checked]');

/** 0 for the first row; null without a cursor. */
async function cursorAt(page: Page): Promise<number | null> {
  const at = await page.evaluate(() => document.querySelector('[role="row"][data-cursor]')?.getAttribute('aria-rowindex'));
  return at ? Number(at) - 2 : null;
}

/** Everything on the page that a key could have changed. */
const stateOf = (page: Page) =>
  page.evaluate(() => {
    const all = (selector: string) => document.querySelectorAll(selector).length;
    const seen = [...document.querySelectorAll('[role="dialog"],[role="alertdialog"],[role="menu"]')].filter((one) =>
      one.checkVisibility(),
    );
    return {
      place: location.pathname + location.search,
      language: document.documentElement.lang,
      dialogs: seen.length,
      toasts: all('[data-toast]'),
      cursor: document.querySelector('[data-cursor]')?.getAttribute('aria-rowindex') ?? null,
      checked: all('[data-checked]'),
      focus: `${document.activeElement?.tagName} ${document.activeElement?.getAttribute('aria-label')}`,
      sidebar: document.querySelector('[data-command="sidebar.toggle"]')?.getAttribute('aria-expanded') ?? null,
    };
  });

async function openNews(admin: Admin, steps = 0): Promise<void> {
  await admin.open('/news');
  await expect(rows(admin.page).first()).toBeVisible();
  for (let step = 0; step < steps; step++) await admin.page.keyboard.press('j');
}

/** Requests whose path ends so, from now on. */
function countRequests(page: Page, path: string): () => number {
  let count = 0;
  page.on('request', (request) => {
    if (new URL(request.url()).pathname === path) count++;
  });
  return () => count;
}

type Effect = (given: { page: Page; admin: Admin; press: () => Promise<void> }) => Promise<void>;

const movesTo =
  (from: number, to: number | 'last'): Effect =>
  async ({ page, admin, press }) => {
    await openNews(admin, from + 1);
    expect(await cursorAt(page)).toBe(from);
    await press();
    const last = (await page.getByRole('status').filter({ hasText: '条' }).textContent())?.replaceAll(/\D/g, '');
    await expect.poll(() => cursorAt(page)).toBe(to === 'last' ? Number(last) - 1 : to);
  };

const checks =
  (from: number, count: number): Effect =>
  async ({ page, admin, press }) => {
    await openNews(admin, from + 1);
    await press();
    await expect(checked(page)).toHaveCount(count);
  };

/** From an open record to the one beside it in the list: the cursor goes along, and Escape ends on its row. */
const goesOn =
  (from: number, to: number): Effect =>
  async ({ page, admin, press }) => {
    await openNews(admin, from + 1);
    await page.keyboard.press('Enter');
    await expect(page.locator('[data-record]')).toBeVisible();
    await press();
    const title = await rows(page).nth(to).locator('[data-column="title"]').textContent();
    await expect(page.getByRole('dialog', { name: title ?? '' })).toBeVisible();
    await page.keyboard.press('Escape');
    await expect(page.getByRole('grid')).toBeFocused();
    expect(await cursorAt(page)).toBe(to);
  };

const opensDialog =
  (name: string | RegExp): Effect =>
  async ({ page, admin, press }) => {
    await openNews(admin);
    await press();
    await expect(page.getByRole('dialog', { name })).toBeVisible();
    await expect(dialogs(page)).toHaveCount(1);
  };

/** News have no chart: its keys change nothing there, and say why. What they do where there is one: overview.spec.ts. */
const saysNoChart: Effect = async ({ page, admin, press }) => {
  await openNews(admin);
  const before = await stateOf(page);
  await press();
  await expect(page.locator('[data-toast]').getByText('屏幕上没有图表')).toBeVisible();
  expect(await stateOf(page)).toEqual({ ...before, toasts: before.toasts + 1 });
};

/** What one press of a command's key does, where that cannot be told from the registry. */
const effects: Partial<Record<CommandId, Effect>> = {
  'list.next': movesTo(1, 2),
  'list.previous': movesTo(2, 1),
  'list.first': movesTo(2, 0),
  'list.last': movesTo(0, 'last'),
  'list.toggle': checks(1, 1),
  'list.extendDown': checks(0, 2),
  'list.extendUp': checks(2, 2),
  'list.open': async ({ page, admin, press }) => {
    await openNews(admin, 1);
    await press();
    await expect(page).toHaveURL(/\?open=[0-9a-f-]{36}$/);
    await expect(dialogs(page)).toHaveCount(1);
  },
  'record.next': goesOn(1, 2),
  'record.previous': goesOn(2, 1),
  'list.selectAll': async ({ page, admin, press }) => {
    await openNews(admin);
    await press();
    await expect(checked(page)).toHaveCount(await rows(page).count());
  },
  'list.selectMatching': async ({ page, admin, press }) => {
    await openNews(admin);
    await press();
    await expect(page.getByText(/^符合筛选条件的全部 \d+ 条$/)).toBeVisible();
  },
  'panel.reload': async ({ page, admin, press }) => {
    await openNews(admin);
    let loads = 0;
    page.on('load', () => loads++);
    await Promise.all([page.waitForEvent('load'), press()]);
    await admin.ready();
    expect(loads).toBe(1);
  },
  'list.clear': async ({ page, admin, press }) => {
    await openNews(admin, 1);
    await page.keyboard.press('x');
    await expect(checked(page)).toHaveCount(1);
    await press();
    await expect(checked(page)).toHaveCount(0);
  },
  'list.filter': async ({ page, admin, press }) => {
    await openNews(admin);
    await press();
    const filter = page.getByRole('search').getByRole('textbox');
    await expect(filter).toBeFocused();
    await expect(filter).toHaveValue(''); // the key itself is not typed
  },
  'list.refresh': async ({ page, admin, press }) => {
    await openNews(admin);
    const count = countRequests(page, '/rpc/news/list');
    const answered = page.waitForResponse('**/rpc/news/list');
    await press();
    await answered;
    expect(count()).toBe(1);
  },
  'list.copy': async ({ page, admin, press }) => {
    await openNews(admin, 1);
    await press();
    await expect(page.getByText('复制成功')).toHaveCount(1);
    const title = await cursor(page).locator('[data-column="title"]').textContent();
    await expect.poll(() => page.evaluate(() => navigator.clipboard.readText())).toBe(title);
  },
  'chart.table': saysNoChart,
  'chart.unit': saysNoChart,
  'chart.compare': saysNoChart,
  'chart.savePicture': saysNoChart,
  'chart.saveCsv': saysNoChart,
  'list.arrivals': async ({ page, admin, press }) => {
    await admin.open('/feedback');
    await expect(rows(page).first()).toBeVisible();
    const { token } = await (await page.request.get(`${admin.url}/public/feedback/form`)).json();
    await page.waitForTimeout(3_100); // sooner is a machine's
    const data = { token, email: `${String(token).slice(9, 21)}@example.com`, content: `Came in ${String(token).slice(9, 21)}` };
    await page.request.post(`${admin.url}/public/feedback`, { data });
    await expect(page.locator('[data-arrivals]')).toBeVisible();
    await press();
    await expect(rows(page).first()).toContainText(data.content);
    await expect(page.locator('[data-arrivals]')).toHaveCount(0);
  },
  'news.copyImage': async ({ page, admin, press }) => {
    await openNews(admin, 1);
    await press();
    await expect(page.getByText('复制成功')).toHaveCount(1);
    await expect.poll(() => page.evaluate(() => navigator.clipboard.readText())).toMatch(/^https?:\/\/\S+$/);
  },
  'palette.open': opensDialog('命令面板'),
  'keys.help': opensDialog('键盘快捷键'),
  'history.open': opensDialog('操作记录'),
  'language.switch': async ({ page, admin, press }) => {
    await openNews(admin);
    let loads = 0;
    page.on('load', () => loads++);
    await press();
    await expect(page.getByRole('heading', { level: 1, name: 'News Manage' })).toBeVisible();
    expect(loads).toBe(1);
    await page.evaluate(() => localStorage.setItem('locale', 'zh-CN'));
  },
  'sidebar.toggle': async ({ page, admin, press }) => {
    await openNews(admin);
    const button = page.locator('[data-command="sidebar.toggle"]');
    const before = await button.getAttribute('aria-expanded');
    await press();
    await expect(button).toHaveAttribute('aria-expanded', before === 'true' ? 'false' : 'true');
  },
  'history.undo': async ({ page, admin, press }) => {
    await openNews(admin);
    const id = await shownRow(admin);
    await admin.run('news.hide', { targets: [id], confirm: true });
    const count = countRequests(page, '/rpc/news/show');
    const undone = page.waitForResponse('**/rpc/news/show');
    await press();
    expect((await undone).status()).toBe(200);
    expect(count()).toBe(1);
    await admin.run('news.hide', { targets: [id], confirm: true }); // what undo is for is there again
  },
  'page.print': async ({ page, admin, press }) => {
    await openNews(admin);
    await page.evaluate(() => {
      window.print = () => document.body.append(Object.assign(document.createElement('i'), { className: 'printed' }));
    });
    await press();
    await expect(page.locator('.printed')).toHaveCount(1);
  },
  'history.repeat': async ({ page, admin, press }) => {
    await openNews(admin);
    const title = await cursorOnShown(page);
    await admin.run('news.show', { targets: [await hiddenRow(admin)], confirm: true });
    await admin.run('news.hide', { targets: [await hiddenAgain(admin)], confirm: true });
    await press();
    await expect(page.getByRole('alertdialog')).toContainText(title);
    await expect(dialogs(page)).toHaveCount(1);
  },
};

const list = async (admin: Admin, shown: boolean) => {
  const answer = await admin.page.request.post(`${admin.url}/api/news/list`, {
    headers: { authorization: await admin.page.evaluate(() => localStorage.getItem('Authorization') ?? '') },
    data: { sort: 'time', direction: 'desc', filter: { shown }, cursor: null, limit: 50 },
  });
  const { rows: found } = (await answer.json()) as { rows: { id: string; image: string | null; title: string }[] };
  const usable = found.filter(({ image }) => image !== null);
  return usable.map(({ id }) => id);
};
const idOf = (id: string | undefined): string => {
  if (!id) throw new Error('the demo data has no such news');
  return id;
};
const shownRow = async (admin: Admin) => idOf((await list(admin, true)).at(-1));
const hiddenRow = async (admin: Admin) => idOf((await list(admin, false)).at(-1));
const hiddenAgain = async (admin: Admin) => idOf((await list(admin, true)).at(-1));

async function cursorOnShown(page: Page): Promise<string> {
  for (;;) {
    await page.keyboard.press('j');
    if (await cursor(page).getByText('展示', { exact: true }).isVisible()) break;
  }
  return (await cursor(page).locator('[data-column="title"]').textContent()) ?? '';
}

test.describe('every default key', () => {
  test.use({ permissions: ['clipboard-read', 'clipboard-write'] });

  test('goes to its screen, where it goes to one', async ({ page, admin }) => {
    await admin.signIn('all', '/overview');
    const going = (await admin.list()).filter(({ id, keys }) => id.startsWith('go.') && keys.length > 0);
    expect(going.length).toBeGreaterThan(12);
    for (const { permission, keys } of going) {
      await test.step(`${keys.join(', ')} goes to ${permission}`, async () => {
        await pressKeys(page, keys[0] ?? '');
        await expect.poll(() => new URL(page.url()).pathname).toBe(permission);
        await expect(page.locator('h1')).toBeVisible();
      });
    }
  });

  test('does its one thing once', async ({ page, admin }) => {
    test.setTimeout(300_000);
    await admin.signIn('all', '/news');
    const isHere = (id: CommandId) => ['global', 'list', '/news'].includes(registry.get(id)?.place ?? '');
    const commands = (await admin.list()).filter(({ id, keys }) => keys.length > 0 && !id.startsWith('go.') && isHere(id));
    for (const { id, keys, params, confirms } of commands) {
      const effect = effects[id] ?? asks(id, params.length > 0, confirms);
      for (const each of keys)
        await test.step(`${each}: ${id}`, () => effect({ page, admin, press: () => pressKeys(page, each) }));
    }
  });

  test('is dead where it has no place: list and news keys on a screen without a list', async ({ page, admin }) => {
    await admin.signIn('all', '/');
    const commands = await admin.list();
    const calls = countRequests(page, '/rpc/news/list');
    const before = await stateOf(page);
    for (const { keys } of commands.filter(({ id }) => /^(list|news)\./.test(id))) {
      for (const each of keys) {
        await pressKeys(page, each);
        expect(await stateOf(page), each).toEqual(before);
      }
    }
    expect(calls()).toBe(0);
  });

  test('is dead before sign-in', async ({ page, admin }) => {
    await admin.signIn('all', '/overview');
    const all = (await admin.list()).flatMap(({ keys }) => keys).filter((keys) => !['enter', 'mod+a'].includes(keys));
    await page.evaluate(() => localStorage.clear());
    await page.goto(`${admin.url}/login`);
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
    await page.evaluate(() => document.activeElement instanceof HTMLElement && document.activeElement.blur());
    for (const keys of all) await pressKeys(page, keys);
    expect(await stateOf(page)).toMatchObject({ place: '/login', dialogs: 0, language: 'zh-CN' });
  });

  test('is dead behind an open dialog', async ({ page, admin }) => {
    await admin.signIn('all', '/news');
    await openNews(admin, 1);
    await page.keyboard.press('#');
    await expect(page.getByRole('alertdialog')).toBeVisible();
    const before = await stateOf(page);
    for (const keys of ['j', 'x', 'c', 'e', '?', '/', 'g n', 'g h', '.', 'mod+k', 'mod+b']) {
      await pressKeys(page, keys);
      expect(await stateOf(page), keys).toEqual(before);
    }
  });

  test('of a right one lacks is dead', async ({ page, admin }) => {
    await admin.signIn('analyst', '/news');
    await openNews(admin, 1);
    const before = await stateOf(page);
    for (const keys of ['c', 'e', 's', 'h', '#', 'delete', 'i']) {
      await pressKeys(page, keys);
      expect(await stateOf(page), keys).toEqual(before);
    }
  });
});

/** A command that asks: once, by its name. One that asks nothing and has no effect above is not proved yet. */
function asks(id: CommandId, hasParams: boolean, confirms: boolean): Effect {
  if (!hasParams && !confirms) throw new Error(`keys.spec.ts does not know what the key of ${id} does: add its effect`);
  return async ({ page, admin, press }) => {
    await openNews(admin);
    for (;;) {
      await page.keyboard.press('j');
      if ((await admin.assess(id)).state === 'ok') break;
    }
    await press();
    await expect(dialogs(page)).toHaveCount(1);
    if (hasParams) await expect(page.getByRole('dialog', { name: names[id].zh })).toBeVisible();
    else await expect(page.getByRole('alertdialog')).toBeVisible();
  };
}

test.describe('sequences', () => {
  test('g, then a letter; the hint lists what may follow and goes away', async ({ page, admin }) => {
    await admin.signIn('editor', '/');
    await page.keyboard.press('g');
    const hint = page.getByRole('status').filter({ hasText: '接着按' });
    await expect(hint).toBeVisible();
    await expect(hint.getByRole('listitem')).toContainText(['前往首页', '前往新闻管理']);
    await expect(hint).not.toContainText('前往管理员'); // no right, no hint
    await page.keyboard.press('n');
    await expect(page).toHaveURL(/\/news$/);
    await expect(hint).toBeHidden();
  });

  test('a second key that fits nothing means itself; a second key that comes too late is a first', async ({ page, admin }) => {
    await admin.signIn('all', '/news');
    await openNews(admin);
    await page.keyboard.press('g');
    await page.keyboard.press('j');
    expect(await cursorAt(page)).toBe(0);
    expect(new URL(page.url()).pathname).toBe('/news');

    await page.keyboard.press('g');
    await page.waitForTimeout(1100); // longer than a sequence may take
    await page.keyboard.press('h'); // g h would go home; h alone asks to hide the row
    expect(new URL(page.url()).pathname).toBe('/news');
  });
});

test.describe('the sheet', () => {
  test('is made from the registry: every command with keys that one has the right to, and no other', async ({ page, admin }) => {
    for (const role of ['all', 'analyst'] as const) {
      await admin.signIn(role, '/news');
      const keyed = (await admin.list()).filter(({ keys }) => keys.length > 0);
      await page.keyboard.press('?');
      const sheet = page.getByRole('dialog', { name: '键盘快捷键' });
      await expect(sheet).toBeVisible();
      const terms = await sheet.locator('dt').allTextContents();
      expect([...terms].sort()).toEqual(keyed.map(({ id }) => names[id].zh as string).sort());
      expect(await sheet.locator('dd kbd').count()).toBe(keyed.flatMap(({ keys }) => keys).length);
      await sheet.getByRole('searchbox').fill('scxw');
      await expect(sheet.locator('dt')).toHaveText(role === 'all' ? ['删除新闻'] : []);
      await page.keyboard.press('Escape');
      await expect(sheet).toBeHidden();
    }
  });

  test('switches single keys off and on again by mouse alone, and that stays', async ({ page, admin }) => {
    await admin.signIn('all', '/news');
    const sheet = page.getByRole('dialog', { name: '键盘快捷键' });
    const openByMouse = async () => {
      await page.getByRole('button', { name: /^账号/ }).click();
      await page.getByRole('menuitem', { name: '查看快捷键' }).click();
      await expect(sheet).toBeVisible();
    };
    await openByMouse();
    await sheet.getByLabel('单键快捷键').uncheck();
    await sheet.getByRole('button', { name: '关闭' }).click();
    await page.reload();
    await admin.ready();
    await openNews(admin);
    await page.getByRole('heading', { level: 1 }).click();

    const before = await stateOf(page);
    for (const keys of ['j', 'c', 'x', 'g h', '?', '/', '.', 'shift+j']) {
      await pressKeys(page, keys);
      expect(await stateOf(page), keys).toEqual(before);
    }
    await page.keyboard.press('ArrowDown'); // keys that no one says aloud still work
    expect(await cursorAt(page)).toBe(0);
    await page.keyboard.press('Control+k');
    await expect(page.getByRole('dialog', { name: '命令面板' })).toBeVisible();
    await page.keyboard.press('Escape');

    await openByMouse();
    await sheet.getByLabel('单键快捷键').check();
    await sheet.getByRole('button', { name: '关闭' }).click();
    await page.keyboard.press('j');
    expect(await cursorAt(page)).toBe(1);
  });
});

test.describe('typing', () => {
  test('letters typed into a field are text and nothing else', async ({ page, admin }) => {
    await admin.signIn('all', '/news');
    await openNews(admin, 1);
    await page.keyboard.press('/');
    const typed = 'cehsixjkryg n?#./';
    await page.keyboard.type(typed);
    await expect(page.locator(':focus')).toHaveValue(typed);
    await expect(dialogs(page)).toHaveCount(0);
    expect(new URL(page.url()).pathname).toBe('/news');
    await page.keyboard.press('Control+a'); // the text, not the rows
    await expect(checked(page)).toHaveCount(0);
    await page.keyboard.press('Control+z');
    await expect(page.locator('[data-toast]')).toHaveCount(0);
    await page.keyboard.press('Control+k'); // keys with Control are no text
    await expect(page.getByRole('dialog', { name: '命令面板' })).toBeVisible();
  });

  test('an input method at work keeps its keys: Enter takes the word, not the row; Escape gives the word up, not the palette', async ({
    page,
    admin,
  }) => {
    await admin.signIn('all', '/');
    const palette = page.getByRole('dialog', { name: '命令面板' });
    await page.keyboard.press('Control+k');
    const input = page.locator('[data-palette-input]');
    await expect(input).toBeFocused();
    const cdp = await page.context().newCDPSession(page);
    await cdp.send('Input.imeSetComposition', { text: 'xinwen', selectionStart: 6, selectionEnd: 6 });
    for (const key of ['Enter', 'ArrowDown', 'Escape', 'Backspace']) {
      await input.dispatchEvent('keydown', { key, code: key, isComposing: true, keyCode: 229, bubbles: true });
    }
    await expect(palette).toBeVisible();
    expect(new URL(page.url()).pathname).toBe('/');
    await cdp.send('Input.insertText', { text: '新闻管理' });
    await expect(input).toHaveValue('新闻管理');
    await expect(page.locator('[data-palette] [cmdk-item]').first()).toHaveAttribute('data-row', 'go.news');
    await page.keyboard.press('Enter');
    await expect(page).toHaveURL(/\/news$/);
  });

  test('a key that an input method swallows triggers nothing on the page', async ({ page, admin }) => {
    await admin.signIn('all', '/news');
    await openNews(admin, 1);
    const before = await stateOf(page);
    for (const event of [
      { key: 'Process', code: 'KeyJ', keyCode: 229 },
      { key: 'j', code: 'KeyJ', isComposing: true },
      { key: 'c', code: 'KeyC', keyCode: 229 },
      { key: 'Enter', code: 'Enter', isComposing: true },
    ]) {
      await page.locator('body').dispatchEvent('keydown', { ...event, bubbles: true });
      expect(await stateOf(page)).toEqual(before);
    }
    await page.locator('body').dispatchEvent('keydown', { key: 'j', code: 'KeyJ', bubbles: true }); // the same without it does
    expect(await cursorAt(page)).toBe(1);
  });
});

test.describe('keyboard layouts', () => {
  const press = async (page: Page, key: string, code: string, modifiers = 0) => {
    const cdp = await page.context().newCDPSession(page);
    await cdp.send('Input.dispatchKeyEvent', { type: 'rawKeyDown', key, code, modifiers });
    await cdp.send('Input.dispatchKeyEvent', { type: 'keyUp', key, code, modifiers });
    await cdp.detach();
  };
  const control = 2;
  const shift = 8;

  test('Cyrillic: what is no Latin letter counts by its place', async ({ page, admin }) => {
    await admin.signIn('all', '/news');
    await openNews(admin);
    await press(page, 'о', 'KeyJ');
    expect(await cursorAt(page)).toBe(0);
    await press(page, 'п', 'KeyG');
    await press(page, 'р', 'KeyH');
    await expect.poll(() => new URL(page.url()).pathname).toBe('/');
    await press(page, 'л', 'KeyK', control);
    await expect(page.getByRole('dialog', { name: '命令面板' })).toBeVisible();
  });

  test('Dvorak: a Latin letter counts as it is written, wherever it lies', async ({ page, admin }) => {
    await admin.signIn('all', '/news');
    await openNews(admin);
    await press(page, 'j', 'KeyC');
    expect(await cursorAt(page)).toBe(0);
    await expect(dialogs(page)).toHaveCount(0); // not 'c', whose place it has
    await press(page, 't', 'KeyK', control);
    await expect(dialogs(page)).toHaveCount(0);
    await press(page, 'k', 'KeyV', control);
    await expect(page.getByRole('dialog', { name: '命令面板' })).toBeVisible();
  });

  test('AZERTY and QWERTZ: a sign counts however it is made', async ({ page, admin }) => {
    await admin.signIn('all', '/news');
    await openNews(admin, 1);
    await press(page, '/', 'Digit7', shift); // QWERTZ
    await expect(page.getByRole('search').getByRole('textbox')).toBeFocused();
    await page.keyboard.press('Escape');
    await page.getByRole('heading', { level: 1 }).click();
    await press(page, '?', 'KeyM', shift); // AZERTY
    await expect(page.getByRole('dialog', { name: '键盘快捷键' })).toBeVisible();
    await page.keyboard.press('Escape');
    await expect(dialogs(page)).toHaveCount(0);
    // AZERTY: AltGr and the key of 3; Windows says Control and Alt are down too.
    await page.locator('body').dispatchEvent('keydown', {
      key: '#',
      code: 'Digit3',
      ctrlKey: true,
      altKey: true,
      modifierAltGraph: true,
      bubbles: true,
    });
    await expect(page.getByRole('alertdialog')).toBeVisible();
  });

  test('a full-width sign of a Chinese keyboard counts by its place', async ({ page, admin }) => {
    await admin.signIn('all', '/news');
    await press(page, '？', 'Slash', shift);
    await expect(page.getByRole('dialog', { name: '键盘快捷键' })).toBeVisible();
  });
});

test('Control K opens the palette and closes it again, and focus goes back to where it was', async ({ page, admin }) => {
  await admin.signIn('all', '/news');
  await openNews(admin);
  const link = page.getByRole('navigation').getByRole('link', { name: '首页' });
  await link.focus();
  const palette = page.getByRole('dialog', { name: '命令面板' });
  await page.keyboard.press('Control+k');
  await expect(palette).toBeVisible();
  await page.keyboard.press('Control+k');
  await expect(palette).toBeHidden();
  await expect(link).toBeFocused();
});

test('keys that move the row take focus along; a list one comes back to stands where it was left', async ({ page, admin }) => {
  await admin.signIn('all', '/news');
  await openNews(admin);
  await page.getByRole('navigation').getByRole('link', { name: '首页' }).focus();
  for (const key of ['j', 'j', 'Enter']) await page.keyboard.press(key);
  await expect(page.locator('[data-record]')).toBeVisible(); // and not the link's page
  await page.keyboard.press('Escape');
  await pressKeys(page, 'g f');
  await expect(page.getByRole('heading', { level: 1, name: '反馈管理' })).toBeVisible();
  await pressKeys(page, 'g n');
  await expect.poll(() => cursorAt(page)).toBe(1);
});

test('a record that comes late leaves the open palette its keys, and is there when that closes', async ({ page, admin }) => {
  await admin.signIn('all', '/audit');
  let release = () => {};
  const held = new Promise<void>((resolve) => (release = resolve));
  await expect(rows(page).first()).toBeVisible();
  await page.route('**/rpc/audit/details', (route) => held.then(() => route.continue()));
  await page.keyboard.press('j');
  await page.keyboard.press('Enter');
  await page.keyboard.press('Control+k');
  const input = page.locator('[data-palette-input]');
  await expect(input).toBeFocused();
  const came = page.waitForResponse('**/rpc/audit/details');
  release();
  await came;
  await page.keyboard.type('help', { delay: 50 });
  await expect(input).toHaveValue('help');
  await page.keyboard.press('Escape');
  await page.keyboard.press('Escape');
  await expect(page.locator('[data-record]')).toBeVisible();
});

test.describe('a held key', () => {
  const hold = async (page: Page, key: string, repeats = 12) => {
    for (let press = 0; press <= repeats; press++) await page.keyboard.down(key); // from the second on: auto-repeat
    await page.keyboard.up(key);
  };

  test('Enter on a palette row opens its question and does not answer it', async ({ page, admin }) => {
    await admin.signIn('all', '/news');
    await openNews(admin);
    await cursorOnShown(page);
    const sent = countRequests(page, '/rpc/news/hide');
    await page.keyboard.press('Control+k');
    await page.keyboard.type('news.hide');
    await expect(page.locator('[data-palette] [cmdk-item]').first()).toHaveAttribute('data-row', 'news.hide');
    await hold(page, 'Enter');
    const confirm = page
      .locator('[data-palette]')
      .getByRole('button', { name: '不展示 1 条新闻' })
      .or(page.locator('[data-palette] button').last());
    await expect(confirm).toBeFocused();
    expect(sent()).toBe(0);
    await page.keyboard.press('Escape');
  });

  test('Enter on a confirmation answers it once', async ({ page, admin }) => {
    await admin.signIn('all', '/news');
    await openNews(admin);
    await cursorOnShown(page);
    const sent = countRequests(page, '/rpc/news/hide');
    await page.keyboard.press('h');
    await expect(page.getByRole('alertdialog')).toBeVisible();
    await hold(page, 'Enter');
    await expect(page.getByText('操作成功')).toBeVisible();
    await expect(dialogs(page)).toHaveCount(0);
    expect(sent()).toBe(1);
    await admin.run('history.undo');
  });

  test('Enter on a row opens the record, and presses nothing in it', async ({ page, admin }) => {
    await admin.signIn('all', '/news');
    await openNews(admin, 1);
    await page.keyboard.down('Enter');
    await expect(page).toHaveURL(/\?open=/);
    await expect(page.getByRole('dialog')).toBeVisible();
    await hold(page, 'Enter');
    await expect(dialogs(page)).toHaveCount(1);
    await expect(page).toHaveURL(/\?open=/);
  });

  test('a letter that opens something opens it once; j goes on moving', async ({ page, admin }) => {
    await admin.signIn('all', '/news');
    await openNews(admin);
    await hold(page, 'j', 4);
    expect(await cursorAt(page)).toBe(4);
    await hold(page, 'c');
    await expect(dialogs(page)).toHaveCount(1);
    await expect(page.getByRole('dialog', { name: '新增新闻' }).getByLabel('标题')).toHaveValue('');
  });
});

test('the menu shows the keys of every screen that has some', async ({ page, admin }) => {
  await admin.signIn('all', '/');
  const keyed = (await admin.list())
    .filter(({ id, keys }) => id.startsWith('go.') && keys.length > 0)
    .map(({ permission }) => permission);
  const paths = flatMenu().map(({ path }) => path as string);
  for (const path of keyed.filter((each) => paths.includes(each))) {
    await expect(page.getByRole('navigation').locator(`a[href="${path}"]`)).toHaveAttribute('aria-keyshortcuts', /^G [A-Z]$/);
  }
});
