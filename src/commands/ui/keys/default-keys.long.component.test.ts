import { describe, expect, test, vi } from 'vitest';
import { page } from 'vitest/browser';
import { allNames as names } from '../../../../api/all-names.ts';
import { flatMenu } from '../../../../api/menu.ts';
import type { CommandId } from '../../../../api/names.ts';
import { registry } from '../../app/all.ts';
import { callsOf } from '../../../testing/api.ts';
import { press, pressKeys } from '../../../testing/keys.ts';
import { newsHeld } from '../../../testing/news.ts';
import { admin, loadPage, signIn } from '../../../testing/panel.tsx';
import { checkedRows, cursorRow, moveToShownRow, visibleDialogs, openNews, listRows } from '../../../testing/list.ts';
import { cursorAt, stateOf } from '../../../../e2e/support/page-state.ts';
import { expectPath } from '../../../testing/see.ts';

type Effect = (press: () => Promise<void>) => Promise<void>;

const movesTo =
  (from: number, to: number | 'last'): Effect =>
  async (act) => {
    await openNews(from + 1);
    expect(cursorAt()).toBe(from);
    await act();
    const last = page.getByRole('status').filter({ hasText: '条' }).element().textContent?.replaceAll(/\D/g, '');
    await expect.poll(cursorAt).toBe(to === 'last' ? Number(last) - 1 : to);
  };

const checks =
  (from: number, count: number): Effect =>
  async (act) => {
    await openNews(from + 1);
    await act();
    await expect.element(checkedRows()).toHaveLength(count);
  };

const goesOn =
  (from: number, to: number): Effect =>
  async (act) => {
    await openNews(from + 1);
    await press('Enter');
    await expect.element(page.css('[data-record]')).toBeVisible();
    await act();
    const title = listRows().nth(to).css('[data-column="title"]').element().textContent ?? '';
    await expect.element(page.getByRole('dialog', { name: title })).toBeVisible();
    await press('Escape');
    await expect.element(page.getByRole('grid')).toHaveFocus();
    expect(cursorAt()).toBe(to);
  };

const opensDialog =
  (name: string): Effect =>
  async (act) => {
    await openNews();
    await act();
    await expect.element(page.getByRole('dialog', { name })).toBeVisible();
    await expect.poll(visibleDialogs).toHaveLength(1);
  };

/** The key only shows a reason here. A browser test covers its effect. */
const showsReason =
  (reason: string): Effect =>
  async (act) => {
    await openNews();
    const before = stateOf();
    await act();
    await expect.element(page.css('[data-toast]').getByText(reason)).toBeVisible();
    expect(stateOf()).toEqual({ ...before, toasts: before.toasts + 1 });
  };
const showsNoChart = showsReason('当前页面没有图表');

const copied = () => expect.element(page.getByText('复制成功')).toHaveLength(1);

/** Effects that the registry does not tell. */
const effects: Partial<Record<CommandId, Effect>> = {
  'list.next': movesTo(1, 2),
  'list.previous': movesTo(2, 1),
  'list.first': movesTo(2, 0),
  'list.last': movesTo(0, 'last'),
  'list.toggle': checks(1, 1),
  'list.extendDown': checks(0, 2),
  'list.extendUp': checks(2, 2),
  'list.open': async (act) => {
    await openNews(1);
    await act();
    await expect.poll(() => location.href).toMatch(/\?open=[0-9a-f-]{36}$/);
    await expect.poll(visibleDialogs).toHaveLength(1);
  },
  'record.whole': async (act) => {
    await openNews(1);
    await press('Enter');
    await expect.element(page.css('[data-peek] [data-record]')).toBeVisible();
    await act();
    await expect.element(page.css('[data-whole]')).toBeVisible();
  },
  'record.next': goesOn(1, 2),
  'record.previous': goesOn(2, 1),
  'list.selectAll': async (act) => {
    await openNews();
    await act();
    await expect.poll(() => checkedRows().elements().length).toBe(listRows().elements().length);
  },
  'list.selectMatching': async (act) => {
    await openNews();
    await act();
    await expect.element(page.getByText(/^符合筛选条件的全部 \d+ 条$/)).toBeVisible();
  },
  'list.clear': async (act) => {
    await openNews(1);
    await press('x');
    await expect.element(checkedRows()).toHaveLength(1);
    await act();
    await expect.element(checkedRows()).toHaveLength(0);
  },
  'list.filter': async (act) => {
    await openNews();
    await act();
    const filter = page.getByRole('search').getByRole('textbox');
    await expect.element(filter).toHaveFocus();
    await expect.element(filter).toHaveValue('');
  },
  'list.addFilter': async (act) => {
    await openNews();
    await act();
    const typed = page.css('[data-filter-menu] input');
    await expect.element(typed).toHaveFocus();
    await expect.element(typed).toHaveValue('');
  },
  'list.like': async (act) => {
    await openNews(1);
    await act();
    await expect.element(page.css('[data-filter-menu]').getByRole('option').first()).toBeVisible();
  },
  'list.clearFilter': async (act) => {
    await openNews();
    await pressKeys('f');
    await expect.element(page.css('[data-filter-menu] [role="option"]').first()).toBeVisible();
    await pressKeys('enter');
    await pressKeys('enter');
    await expect.element(page.css('[data-filter]')).toHaveLength(1);
    await act();
    await expect.element(page.css('[data-filter]')).toHaveLength(0);
  },
  'list.refresh': async (act) => {
    await openNews();
    const before = callsOf('news/list').length;
    await act();
    await expect.poll(() => callsOf('news/list').length).toBe(before + 1);
  },
  'list.copy': async (act) => {
    await openNews(1);
    await act();
    await copied();
    const title = cursorRow().css('[data-column="title"]').element().textContent;
    await expect.poll(() => navigator.clipboard.readText()).toBe(title);
  },
  'chart.table': showsNoChart,
  'chart.unit': showsNoChart,
  'chart.compare': showsNoChart,
  'chart.saveCsv': showsNoChart,
  'session.leaveView': showsReason('当前未使用视角查看'),
  'values.exact': async (act) => {
    await openNews();
    await act();
    await expect.element(page.css('[data-toast]')).toHaveTextContent('当前数字均为精确值');
  },
  'news.copyImage': async (act) => {
    await openNews(1);
    await act();
    await copied();
    await expect.poll(() => navigator.clipboard.readText()).toMatch(/^https?:\/\/\S+$/);
  },
  'palette.open': opensDialog('命令面板'),
  'keys.help': opensDialog('键盘快捷键'),
  'history.open': opensDialog('我的操作历史'),
  'sidebar.toggle': async (act) => {
    await openNews();
    const button = page.css('[data-command="sidebar.toggle"]');
    const before = button.element().getAttribute('aria-expanded');
    await act();
    await expect.element(button).toHaveAttribute('aria-expanded', before === 'true' ? 'false' : 'true');
  },
  'history.undo': async (act) => {
    await openNews();
    const id = lastNews(true);
    await admin().run('news.hide', { targets: [id], confirm: true });
    expect(newsHeld().find((row) => row.id === id)?.shown).toBe(false);
    await act();
    await expect.poll(() => newsHeld().find((row) => row.id === id)?.shown).toBe(true);
    expect(callsOf('news/show')).toHaveLength(1);
  },
  'page.print': async (act) => {
    await openNews();
    const print = vi.spyOn(window, 'print').mockReturnValue();
    await act();
    await expect.poll(() => print.mock.calls).toHaveLength(1);
    print.mockRestore();
  },
  'history.repeat': async (act) => {
    await openNews();
    const title = await moveToShownRow();
    await admin().run('news.show', { targets: [lastNews(false)], confirm: true });
    await admin().run('news.hide', { targets: [lastNews(true)], confirm: true });
    await act();
    await expect.element(page.getByRole('alertdialog')).toHaveTextContent(title);
    await expect.poll(visibleDialogs).toHaveLength(1);
  },
};

/** Covered in e2e/shortcuts/keys.spec.ts. */
const journeys: readonly CommandId[] = ['panel.reload', 'language.switch', 'list.arrivals'];

function lastNews(shown: boolean): string {
  const id = newsHeld().findLast((row) => row.shown === shown)?.id;
  if (!id) throw new Error('there is no such news');
  return id;
}

/** A command that asks: once, by its name. One that asks nothing and has no effect above is not proved yet. */
function asks(id: CommandId, hasParams: boolean, confirms: boolean): Effect {
  if (!hasParams && !confirms) throw new Error(`it is not known here what the key of ${id} does: add its effect`);
  return async (act) => {
    await openNews();
    for (;;) {
      await press('j');
      if (admin().assess(id).state === 'ok') break;
    }
    await act();
    await expect.poll(visibleDialogs).toHaveLength(1);
    if (hasParams) await expect.element(page.getByRole('dialog', { name: names[id].zh })).toBeVisible();
    else await expect.element(page.getByRole('alertdialog')).toBeVisible();
  };
}

const expectEffect = (effect: Effect, keys: string) => effect(() => pressKeys(keys));

await signIn('all', '/news');
const all = await admin().list();

describe('every default key has its one effect once', () => {
  const isHere = (id: CommandId) => ['global', 'list', '/news'].includes(registry.get(id)?.place ?? '');
  for (const { id, keys, params, confirms } of all) {
    if (id.startsWith('go.') || !isHere(id) || journeys.includes(id)) continue;
    for (const each of keys)
      test(`${each}: ${id}`, async () => {
        await signIn('all', '/news');
        await expectEffect(effects[id] ?? asks(id, params.length > 0, confirms), each);
      });
  }
});

describe('every default key', () => {
  test('opens its screen, if it has one', async () => {
    await signIn('all', '/overview');
    const going = (await admin().list()).filter(({ id, keys }) => id.startsWith('go.') && keys.length > 0);
    expect(going.length).toBeGreaterThan(12);
    for (const { permission, keys } of going) {
      await pressKeys(keys[0] ?? '');
      if (permission === 'anyone') await expect.poll(() => location.pathname).toMatch(/^\/help/);
      else await expectPath(String(permission));
      await expect.element(page.css('h1')).toBeVisible();
    }
  });

  test('is inactive outside its place: list and news keys on a screen without a list', async () => {
    await signIn('all', '/');
    const known = await admin().list();
    const before = stateOf();
    for (const { keys } of known.filter(({ id }) => /^(list|news)\./.test(id))) {
      for (const each of keys) {
        await pressKeys(each);
        expect(stateOf(), each).toEqual(before);
      }
    }
    expect(callsOf('news/list')).toEqual([]);
  });

  test('is inactive before sign-in', async () => {
    await signIn('all', '/overview');
    const keyed = (await admin().list()).flatMap(({ keys }) => keys).filter((keys) => !['enter', 'mod+a'].includes(keys));
    localStorage.clear();
    await loadPage('/login');
    await expect.element(page.getByRole('heading', { level: 1 })).toBeVisible();
    if (document.activeElement instanceof HTMLElement) document.activeElement.blur();
    for (const keys of keyed) await pressKeys(keys);
    expect(stateOf()).toMatchObject({ place: '/login', dialogs: 0, language: 'zh-CN' });
  });

  test('is inactive behind an open dialog', async () => {
    await signIn('all', '/news');
    await openNews(1);
    await press('#');
    await expect.element(page.getByRole('alertdialog')).toBeVisible();
    const before = stateOf();
    for (const keys of ['j', 'x', 'c', 'e', '?', '/', 'g n', 'g h', '.', 'mod+k', 'mod+b']) {
      await pressKeys(keys);
      expect(stateOf(), keys).toEqual(before);
    }
  });

  test('is inactive without the permission', async () => {
    await signIn('analyst', '/news');
    await openNews(1);
    const before = stateOf();
    for (const keys of ['c', 'e', 's', 'h', '#', 'delete', 'i']) {
      await pressKeys(keys);
      expect(stateOf(), keys).toEqual(before);
    }
  });
});

test('the menu shows the keys of every screen that has some', async () => {
  await signIn('all', '/');
  const keyed = (await admin().list())
    .filter(({ id, keys }) => id.startsWith('go.') && keys.length > 0)
    .map(({ permission }) => permission);
  const paths = flatMenu().map(({ path }) => path as string);
  const inMenu = keyed.filter((each) => paths.includes(String(each)));
  expect(inMenu.length).toBeGreaterThan(12);
  for (const path of inMenu) {
    const link = page.getByRole('navigation').css(`a[href="${path}"]`);
    await expect.element(link).toHaveAttribute('aria-keyshortcuts', expect.stringMatching(/^G [A-Z]$/));
  }
});

test('the sheet lists every permitted command with keys, from the registry', async () => {
  for (const role of ['all', 'analyst'] as const) {
    await signIn(role, '/news');
    const keyed = (await admin().list()).filter(({ keys }) => keys.length > 0);
    await press('?');
    const sheet = page.getByRole('dialog', { name: '键盘快捷键' });
    await expect.element(sheet).toBeVisible();
    const terms = sheet
      .css('dt')
      .elements()
      .map(({ textContent }) => textContent ?? '');
    expect(terms.toSorted()).toEqual(keyed.map(({ id }) => names[id].zh as string).toSorted());
    expect(sheet.css('dd kbd').elements()).toHaveLength(keyed.flatMap(({ keys }) => keys).length);
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
