import { describe, expect, test, vi } from 'vitest';
import { page } from 'vitest/browser';
import { allNames as names } from '../../../../api/all-names.ts';
import { flattenMenu } from '../../../../api/menu.ts';
import type { CommandId } from '../../../../api/names.ts';
import { registry } from '../../app/all.ts';
import { readCalls } from '../../../testing/api.ts';
import { press, pressKeys } from '../../../testing/keys.ts';
import { countNews } from '../../../testing/news.ts';
import { adminScript, loadPage, signIn } from '../../../testing/panel.tsx';
import { checkedRows, cursorRow, moveToShownRow, visibleDialogs, openNews, listRows } from '../../../testing/list.ts';
import { readCursorIndex, readPageState } from '../../../../e2e/support/page-state.ts';
import { expectPath } from '../../../testing/locators.ts';

type Effect = (press: () => Promise<void>) => Promise<void>;

const expectCursorMove =
  (fromRow: number, toRow: number | 'last'): Effect =>
  async (pressKey) => {
    await openNews(fromRow + 1);
    expect(readCursorIndex()).toBe(fromRow);
    await pressKey();
    const rowCount = page.getByRole('status').filter({ hasText: '条' }).element().textContent?.replaceAll(/\D/g, '');
    await expect.poll(readCursorIndex).toBe(toRow === 'last' ? Number(rowCount) - 1 : toRow);
  };

const expectChecked =
  (fromRow: number, count: number): Effect =>
  async (pressKey) => {
    await openNews(fromRow + 1);
    await pressKey();
    await expect.element(checkedRows()).toHaveLength(count);
  };

const expectRecordChange =
  (fromRow: number, toRow: number): Effect =>
  async (pressKey) => {
    await openNews(fromRow + 1);
    await press('Enter');
    await expect.element(page.css('[data-record]')).toBeVisible();
    await pressKey();
    const title = listRows().nth(toRow).css('[data-column="title"]').element().textContent ?? '';
    await expect.element(page.getByRole('dialog', { name: title })).toBeVisible();
    await press('Escape');
    await expect.element(page.getByRole('grid')).toHaveFocus();
    expect(readCursorIndex()).toBe(toRow);
  };

const expectDialog =
  (name: string): Effect =>
  async (pressKey) => {
    await openNews();
    await pressKey();
    await expect.element(page.getByRole('dialog', { name })).toBeVisible();
    await expect.poll(visibleDialogs).toHaveLength(1);
  };

/** The key only shows a reason here. A browser test covers its effect. */
const expectReason =
  (reason: string): Effect =>
  async (pressKey) => {
    await openNews();
    const previousState = readPageState();
    await pressKey();
    await expect.element(page.css('[data-toast]').getByText(reason)).toBeVisible();
    expect(readPageState()).toEqual({ ...previousState, toasts: previousState.toasts + 1 });
  };
const expectNoChart = expectReason('当前页面没有图表');

const expectCopied = () => expect.element(page.getByText('复制成功')).toHaveLength(1);

/** Effects that the registry does not tell. */
const effects: Partial<Record<CommandId, Effect>> = {
  'list.next': expectCursorMove(1, 2),
  'list.previous': expectCursorMove(2, 1),
  'list.first': expectCursorMove(2, 0),
  'list.last': expectCursorMove(0, 'last'),
  'list.toggle': expectChecked(1, 1),
  'list.extendDown': expectChecked(0, 2),
  'list.extendUp': expectChecked(2, 2),
  'list.open': async (pressKey) => {
    await openNews(1);
    await pressKey();
    await expect.poll(() => location.href).toMatch(/\?open=[0-9a-f-]{36}$/);
    await expect.poll(visibleDialogs).toHaveLength(1);
  },
  'record.whole': async (pressKey) => {
    await openNews(1);
    await press('Enter');
    await expect.element(page.css('[data-peek] [data-record]')).toBeVisible();
    await pressKey();
    await expect.element(page.css('[data-whole]')).toBeVisible();
  },
  'record.next': expectRecordChange(1, 2),
  'record.previous': expectRecordChange(2, 1),
  'list.selectAll': async (pressKey) => {
    await openNews();
    await pressKey();
    await expect.poll(() => checkedRows().elements().length).toBe(listRows().elements().length);
  },
  'list.selectMatching': async (pressKey) => {
    await openNews();
    await pressKey();
    await expect.element(page.getByText(/^符合筛选条件的全部 \d+ 条$/)).toBeVisible();
  },
  'list.clear': async (pressKey) => {
    await openNews(1);
    await press('x');
    await expect.element(checkedRows()).toHaveLength(1);
    await pressKey();
    await expect.element(checkedRows()).toHaveLength(0);
  },
  'list.filter': async (pressKey) => {
    await openNews();
    await pressKey();
    const filter = page.getByRole('search').getByRole('textbox');
    await expect.element(filter).toHaveFocus();
    await expect.element(filter).toHaveValue('');
  },
  'list.addFilter': async (pressKey) => {
    await openNews();
    await pressKey();
    const filterInput = page.css('[data-filter-menu] input');
    await expect.element(filterInput).toHaveFocus();
    await expect.element(filterInput).toHaveValue('');
  },
  'list.like': async (pressKey) => {
    await openNews(1);
    await pressKey();
    await expect.element(page.css('[data-filter-menu]').getByRole('option').first()).toBeVisible();
  },
  'list.clearFilter': async (pressKey) => {
    await openNews();
    await pressKeys('f');
    await expect.element(page.css('[data-filter-menu] [role="option"]').first()).toBeVisible();
    await pressKeys('enter');
    await pressKeys('enter');
    await expect.element(page.css('[data-filter]')).toHaveLength(1);
    await pressKey();
    await expect.element(page.css('[data-filter]')).toHaveLength(0);
  },
  'list.refresh': async (pressKey) => {
    await openNews();
    const callCountBefore = readCalls('news/list').length;
    await pressKey();
    await expect.poll(() => readCalls('news/list').length).toBe(callCountBefore + 1);
  },
  'list.copy': async (pressKey) => {
    await openNews(1);
    await pressKey();
    await expectCopied();
    const title = cursorRow().css('[data-column="title"]').element().textContent;
    await expect.poll(() => navigator.clipboard.readText()).toBe(title);
  },
  'chart.table': expectNoChart,
  'chart.unit': expectNoChart,
  'chart.compare': expectNoChart,
  'chart.saveCsv': expectNoChart,
  'session.leaveView': expectReason('当前未使用视角查看'),
  'values.exact': async (pressKey) => {
    await openNews();
    await pressKey();
    await expect.element(page.css('[data-toast]')).toHaveTextContent('当前数字均为精确值');
  },
  'news.copyImage': async (pressKey) => {
    await openNews(1);
    await pressKey();
    await expectCopied();
    await expect.poll(() => navigator.clipboard.readText()).toMatch(/^https?:\/\/\S+$/);
  },
  'palette.open': expectDialog('命令面板'),
  'keys.help': expectDialog('键盘快捷键'),
  'history.open': expectDialog('我的操作历史'),
  'sidebar.toggle': async (pressKey) => {
    await openNews();
    const button = page.css('[data-command="sidebar.toggle"]');
    const expandedBefore = button.element().getAttribute('aria-expanded');
    await pressKey();
    await expect.element(button).toHaveAttribute('aria-expanded', expandedBefore === 'true' ? 'false' : 'true');
  },
  'history.undo': async (pressKey) => {
    await openNews();
    const id = lastNews(true);
    await adminScript().run('news.hide', { targets: [id], confirm: true });
    expect(countNews().find((row) => row.id === id)?.shown).toBe(false);
    await pressKey();
    await expect.poll(() => countNews().find((row) => row.id === id)?.shown).toBe(true);
    expect(readCalls('news/show')).toHaveLength(1);
  },
  'page.print': async (pressKey) => {
    await openNews();
    const print = vi.spyOn(window, 'print').mockReturnValue();
    await pressKey();
    await expect.poll(() => print.mock.calls).toHaveLength(1);
    print.mockRestore();
  },
  'history.repeat': async (pressKey) => {
    await openNews();
    const title = await moveToShownRow();
    await adminScript().run('news.show', { targets: [lastNews(false)], confirm: true });
    await adminScript().run('news.hide', { targets: [lastNews(true)], confirm: true });
    await pressKey();
    await expect.element(page.getByRole('alertdialog')).toHaveTextContent(title);
    await expect.poll(visibleDialogs).toHaveLength(1);
  },
};

/** Covered in e2e/shortcuts/keys.spec.ts. */
const navigationCommands: readonly CommandId[] = ['panel.reload', 'language.switch', 'list.arrivals'];

function lastNews(isShown: boolean): string {
  const id = countNews().findLast((row) => row.shown === isShown)?.id;
  if (!id) throw new Error('there is no such news');
  return id;
}

/** A command that asks: once, by its name. One that asks nothing and has no effect above is not proved yet. */
function expectQuestion(id: CommandId, hasParams: boolean, confirms: boolean): Effect {
  if (!hasParams && !confirms) throw new Error(`it is not known here what the key of ${id} does: add its effect`);
  return async (pressKey) => {
    await openNews();
    for (;;) {
      await press('j');
      if (adminScript().assess(id).state === 'ok') break;
    }
    await pressKey();
    await expect.poll(visibleDialogs).toHaveLength(1);
    if (hasParams) await expect.element(page.getByRole('dialog', { name: names[id].zh })).toBeVisible();
    else await expect.element(page.getByRole('alertdialog')).toBeVisible();
  };
}

const expectEffect = (effect: Effect, keys: string) => effect(() => pressKeys(keys));

await signIn('all', '/news');
const allCommands = await adminScript().list();

describe('every default key has its one effect once', () => {
  const isOnThisScreen = (id: CommandId) => ['global', 'list', '/news'].includes(registry.get(id)?.place ?? '');
  for (const { id, keys, params, confirms } of allCommands) {
    if (id.startsWith('go.') || !isOnThisScreen(id) || navigationCommands.includes(id)) continue;
    for (const key of keys)
      test(`${key}: ${id}`, async () => {
        await signIn('all', '/news');
        await expectEffect(effects[id] ?? expectQuestion(id, params.length > 0, confirms), key);
      });
  }
});

describe('every default key', () => {
  test('opens its screen, if it has one', async () => {
    await signIn('all', '/overview');
    const navigationEntries = (await adminScript().list()).filter(({ id, keys }) => id.startsWith('go.') && keys.length > 0);
    expect(navigationEntries.length).toBeGreaterThan(12);
    for (const { permission, keys } of navigationEntries) {
      await pressKeys(keys[0] ?? '');
      if (permission === 'anyone') await expect.poll(() => location.pathname).toMatch(/^\/help/);
      else await expectPath(String(permission));
      await expect.element(page.css('h1')).toBeVisible();
    }
  });

  test('is inactive outside its place: list and news keys on a screen without a list', async () => {
    await signIn('all', '/');
    const listedCommands = await adminScript().list();
    const previousState = readPageState();
    for (const { keys } of listedCommands.filter(({ id }) => /^(list|news)\./.test(id))) {
      for (const key of keys) {
        await pressKeys(key);
        expect(readPageState(), key).toEqual(previousState);
      }
    }
    expect(readCalls('news/list')).toEqual([]);
  });

  test('is inactive before sign-in', async () => {
    await signIn('all', '/overview');
    const allKeys = (await adminScript().list()).flatMap(({ keys }) => keys).filter((keys) => !['enter', 'mod+a'].includes(keys));
    localStorage.clear();
    await loadPage('/login');
    await expect.element(page.getByRole('heading', { level: 1 })).toBeVisible();
    if (document.activeElement instanceof HTMLElement) document.activeElement.blur();
    for (const keys of allKeys) await pressKeys(keys);
    expect(readPageState()).toMatchObject({ place: '/login', dialogs: 0, language: 'zh-CN' });
  });

  test('is inactive behind an open dialog', async () => {
    await signIn('all', '/news');
    await openNews(1);
    await press('#');
    await expect.element(page.getByRole('alertdialog')).toBeVisible();
    const previousState = readPageState();
    for (const keys of ['j', 'x', 'c', 'e', '?', '/', 'g n', 'g h', '.', 'mod+k', 'mod+b']) {
      await pressKeys(keys);
      expect(readPageState(), keys).toEqual(previousState);
    }
  });

  test('is inactive without the permission', async () => {
    await signIn('analyst', '/news');
    await openNews(1);
    const previousState = readPageState();
    for (const keys of ['c', 'e', 's', 'h', '#', 'delete', 'i']) {
      await pressKeys(keys);
      expect(readPageState(), keys).toEqual(previousState);
    }
  });
});

test('the menu shows the keys of every screen that has some', async () => {
  await signIn('all', '/');
  const commandsWithKeys = (await adminScript().list())
    .filter(({ id, keys }) => id.startsWith('go.') && keys.length > 0)
    .map(({ permission }) => permission);
  const paths = flattenMenu().map(({ path }) => path as string);
  const menuEntry = commandsWithKeys.filter((key) => paths.includes(String(key)));
  expect(menuEntry.length).toBeGreaterThan(12);
  for (const path of menuEntry) {
    const link = page.getByRole('navigation').css(`a[href="${path}"]`);
    await expect.element(link).toHaveAttribute('aria-keyshortcuts', expect.stringMatching(/^G [A-Z]$/));
  }
});

test('the sheet lists every permitted command with keys, from the registry', async () => {
  for (const role of ['all', 'analyst'] as const) {
    await signIn(role, '/news');
    const commandsWithKeys = (await adminScript().list()).filter(({ keys }) => keys.length > 0);
    await press('?');
    const sheet = page.getByRole('dialog', { name: '键盘快捷键' });
    await expect.element(sheet).toBeVisible();
    const terms = sheet
      .css('dt')
      .elements()
      .map(({ textContent }) => textContent ?? '');
    expect(terms.toSorted()).toEqual(commandsWithKeys.map(({ id }) => names[id].zh as string).toSorted());
    expect(sheet.css('dd kbd').elements()).toHaveLength(commandsWithKeys.flatMap(({ keys }) => keys).length);
    await sheet.getByRole('searchbox').fill('scxw');
    await expect
      .poll(() =>
        sheet
          .css('dt')
          .elements()
          .map(({ textContent }) => textContent),
      )
      .toEqual(role === 'all' ? ['删除新闻'] : []);
    await press('Escape');
    await expect.poll(visibleDialogs).toHaveLength(0);
  }
});
