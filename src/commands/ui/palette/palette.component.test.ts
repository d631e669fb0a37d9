import { describe, expect, test } from 'vitest';
import { commands, page } from 'vitest/browser';
import { readCursorIndex } from '../../../../e2e/support/page-state.ts';
import { readCalls, apiFailure, holdResponses, mockRoutes } from '../../../testing/api.ts';
import { press, typeText } from '../../../testing/keys.ts';
import { countNews, publishNews } from '../../../testing/news.ts';
import {
  expectHighlighted,
  highlightedRow,
  paletteInput,
  paletteItems,
  openPaletteHere,
  paletteOrder,
  paletteDialog,
  paletteRow,
  rowIdAt,
} from '../../../testing/palette.ts';
import { loadPage, openPage as openScreen, runInPalette as runByPalette, signIn } from '../../../testing/panel.tsx';
import { cursorRow, listRows } from '../../../testing/list.ts';
import { expectHidden, expectPath, textContents } from '../../../testing/locators.ts';

async function openNews(index = 0): Promise<string> {
  await openScreen('/news');
  await expect.element(listRows().first()).toBeVisible();
  for (let step = 0; step <= index; step++) await press('j');
  return cursorRow().css('[data-column="title"] span > span').first().element().textContent ?? '';
}

const isTextSearch = (requestInput: unknown) => JSON.stringify(requestInput).includes('"q"');

describe('the highlighted row', () => {
  test('is the first at opening, follows the arrows, and is the first again after every letter', async () => {
    await signIn('all', '/');
    await openPaletteHere();
    const firstRow = rowIdAt(0);
    await expect.poll(() => paletteItems().elements().length).toBeGreaterThan(11);
    const lastRow = rowIdAt(-1);
    const secondRow = rowIdAt(1);
    await expectHighlighted(firstRow);
    await press('ArrowDown');
    await expectHighlighted(secondRow);
    await press('ArrowUp');
    await press('ArrowUp');
    await expectHighlighted(lastRow);
    for (const [text, expected] of [
      ['新', /^(go|news|list|administrators|roles|permissions)\./],
      ['新闻', /^(go\.news|news\.)/],
      ['新闻管理', /^go\.news$/],
    ] as const) {
      await paletteInput().fill(text);
      await expectHighlighted(expected);
      expect(highlightedRow()).toBe(rowIdAt(0));
    }
  });

  test('is the one that Enter runs when records arrive late', async () => {
    await signIn('all', '/');
    const release = holdResponses('news/list', isTextSearch);
    await openPaletteHere();
    await typeText('新闻管理');
    await press('Enter');
    release();
    await expect.poll(() => location.href).toBe(`${location.origin}/news`);
    await expectHidden(paletteDialog());
  });

  test('stays where the person put it when records arrive below it', async () => {
    await signIn('all', '/');
    const release = holdResponses('news/list', isTextSearch);
    await openPaletteHere();
    await typeText('go');
    await press('ArrowDown');
    const chosenRow = highlightedRow();
    await paletteInput().fill('主网铸造');
    await expect.poll(() => JSON.stringify(readCalls('news/list'))).toContain('主网铸造');
    await expect.element(paletteItems()).toHaveLength(0);
    release();
    await expect.element(paletteItems().first()).toHaveAttribute('data-row', expect.stringMatching(/^news:/));
    await expectHighlighted(/^news:/);
    await paletteInput().fill('go');
    await expectHighlighted(rowIdAt(0));
    expect(chosenRow).toMatch(/^go\./);
  });

  test('is never a record of an older query', async () => {
    await signIn('all', '/');
    await openPaletteHere();
    await typeText('主网铸造');
    await expect.element(paletteItems().first()).toHaveAttribute('data-row', expect.stringMatching(/^news:/));
    await press('ArrowDown');
    await paletteInput().fill('theme');
    await press('Enter');
    await expect.element(paletteInput()).toHaveAttribute('placeholder', '选择主题…');
    expect(location.pathname).toBe('/');
  });

  test('moves with the mouse only when the mouse moves', async () => {
    await signIn('all', '/');
    await commands.movePointer(720, 300, 1);
    await openPaletteHere();
    await expectHighlighted(rowIdAt(0));
    await typeText('go');
    await expectHighlighted(rowIdAt(0));
    const { x, y } = paletteItems().nth(2).element().getBoundingClientRect();
    await commands.movePointer(x + 40, y + 10, 4);
    await expectHighlighted(rowIdAt(2));
  });

  test('is the row where the button went down, not one that moved under the pointer since', async () => {
    await signIn('all', '/');
    await openPaletteHere();
    await typeText('go');
    const list = paletteDialog().getByRole('option').nth(1).element();
    const event = (kind: string) => new MouseEvent(kind, { bubbles: true, cancelable: true, detail: 1 });
    list.dispatchEvent(event('mousedown'));
    const previousRow = rowIdAt(1);
    await paletteInput().fill('news');
    await expect.poll(() => rowIdAt(1)).not.toBe(previousRow);
    const now = paletteDialog().getByRole('option').nth(1).element();
    now.dispatchEvent(event('click'));
    await expect.element(paletteDialog()).toBeVisible();
    expect(location.pathname).toBe('/');
    now.dispatchEvent(event('mousedown'));
    now.dispatchEvent(event('click'));
    await expect.element(paletteDialog()).toHaveLength(0);
  });
});

describe('a command that can’t run here', () => {
  test('is not offered, is found with its reason, is reached by the arrows, and refuses', async () => {
    await signIn('all', '/overview');
    await openPaletteHere();
    await expect.element(paletteRow('news.delete')).toHaveLength(0);
    await typeText('删除新闻');
    await expect.element(paletteRow('news.delete')).toHaveTextContent('请先选择记录');
    await expectHighlighted('news.delete');
    await expect.element(paletteRow('news.delete')).toHaveAccessibleName(expect.stringMatching(/删除新闻.*请先选择记录/));
    await press('Enter');
    await expect.element(page.css('[data-toast="blocked"]')).toHaveTextContent(/请先选择记录/);
    await expect.element(page.getByRole('alertdialog')).toHaveLength(0);
    expect(readCalls('news/remove')).toEqual([]);
  });

  test('is below those that can', async () => {
    await signIn('all', '/overview');
    await openPaletteHere();
    await typeText('新闻');
    await expect.element(paletteRow('news.delete')).toBeVisible();
    const order = paletteOrder();
    expect(order.indexOf('news.add')).toBeLessThan(order.indexOf('news.delete'));
  });
});

test('a command that can’t run here is below the handbook’s pages, unless the search is its exact name', async () => {
  await signIn('all', '/overview');
  await openPaletteHere();
  await typeText('新闻');
  await expect.element(paletteRow('news.delete')).toBeVisible();
  await expect.poll(() => paletteOrder().some((value) => value?.startsWith('help:') ?? false)).toBe(true);
  const order = paletteOrder();
  expect(order.indexOf('news.delete')).toBeGreaterThan(order.findLastIndex((value) => value?.startsWith('help:')));
});

describe('the palette’s target', () => {
  test('is frozen at opening, whatever rows change below', async () => {
    await signIn('all', '/news');
    const title = await openNews(1);
    const target = cursorRow().element().id.slice(-36);
    await openPaletteHere();
    await expect.element(paletteDialog().getByText(title, { exact: true })).toBeVisible();

    publishNews('插队的新闻');
    dispatchEvent(new Event('offline'));
    await expect.element(listRows().first()).toHaveTextContent('插队的新闻');
    await expect.element(paletteDialog().getByText(title, { exact: true })).toBeVisible();

    await typeText('news.delete');
    await press('Enter');
    await expect.poll(() => textContents(paletteDialog().getByRole('listitem'))).toEqual([title]);
    (paletteDialog().getByRole('button', { name: '取消' }).element() as HTMLElement).focus();
    await press('ArrowRight');
    await press('Enter');
    await expect.element(page.getByText('操作成功')).toBeVisible();
    expect(readCalls('news/remove').map(({ input: requestInput }) => requestInput)).toEqual([
      { items: [{ id: target, version: 1 }] },
    ]);
  });

  test('is dropped by Backspace on an empty line, but not by a held Backspace', async () => {
    await signIn('all', '/news');
    const title = await openNews();
    await openPaletteHere();
    const chip = paletteDialog().getByText(title, { exact: true });
    await typeText('ab');
    await commands.keyDown('Backspace', 5);
    await commands.keyUp('Backspace');
    await expect.element(paletteInput()).toHaveValue('');
    await expect.element(chip).toBeVisible();
    await press('Backspace');
    await expectHidden(chip);
    await typeText('编辑新闻');
    await expect.element(paletteRow('news.edit')).toHaveTextContent('请先选择记录');
  });

  test('is a number for several rows', async () => {
    await signIn('all', '/news');
    await openNews();
    await press('x');
    await press('Shift+J');
    await openPaletteHere();
    await expect.element(paletteDialog().getByText('已选 2 项')).toBeVisible();
    await expect.element(paletteRow('news.edit')).toHaveLength(0);
  });
});

describe('going back in the palette', () => {
  test('clears the text by Escape, then closes and returns the focus', async () => {
    await signIn('all', '/');
    const link = page.getByRole('navigation').getByRole('link', { name: '新闻管理' });
    (link.element() as HTMLElement).focus();
    await openPaletteHere();
    await typeText('theme');
    await press('Escape');
    await expect.element(paletteInput()).toHaveValue('');
    await expect.element(paletteDialog()).toBeVisible();
    await press('Escape');
    await expectHidden(paletteDialog());
    await expect.element(link).toHaveFocus();
  });

  test('returns from a step to the list with its text by Escape and Backspace', async () => {
    await signIn('all', '/');
    await openPaletteHere();
    for (const backKey of ['Escape', 'Backspace']) {
      await paletteInput().fill('theme.set');
      await press('Enter');
      await expect.element(paletteInput()).toHaveAttribute('placeholder', '选择主题…');
      await expect.element(paletteInput()).toHaveFocus();
      await press(backKey);
      await expect.element(paletteInput()).toHaveValue('theme.set');
      await expect.element(paletteInput()).toHaveFocus();
      await expectHighlighted('theme.set');
    }
  });

  test('asks for a value before it says to press Enter', async () => {
    await signIn('all', '/');
    await openPaletteHere();
    await paletteInput().fill('account.useEnrollmentCode');
    await press('Enter');
    await expect.element(paletteInput()).toHaveAttribute('placeholder', '输入登记码…');
    await expect.element(paletteDialog()).toHaveTextContent('输入后按回车继续');
    await typeText('k7m2q');
    await expect.element(paletteDialog()).toHaveTextContent('按回车继续');
    await expect.element(paletteDialog()).not.toHaveTextContent('输入后');
  });

  test('leaves Home and End to the text', async () => {
    await signIn('all', '/');
    await openPaletteHere();
    await typeText('go');
    const firstValue = highlightedRow() ?? '';
    await press('Home');
    await expectHighlighted(firstValue);
    expect((paletteInput().element() as HTMLInputElement).selectionStart).toBe(0);
    await press('End');
    await expectHighlighted(firstValue);
    expect((paletteInput().element() as HTMLInputElement).selectionStart).toBe(2);
  });
});

describe('a palette question', () => {
  test('finds options by their words and takes the highlighted one', async () => {
    await signIn('all', '/');
    await runByPalette('theme.set');
    await expect.poll(() => textContents(paletteItems())).toEqual(['浅色', '深色', '跟随系统', '高对比度']);
    await expectHighlighted('option:light');
    await typeText('深');
    await expectHighlighted('option:dark');
    await press('Enter');
    await expect.element(document.documentElement).toHaveAttribute('data-theme', 'dark');
    await expectHidden(paletteDialog());
  });

  test('puts the option first that the query for the command named', async () => {
    await signIn('all', '/');
    await openPaletteHere();
    await typeText('shense');
    await expectHighlighted('theme.set');
    await press('Enter');
    await expectHighlighted('option:dark');
    await press('Enter');
    await expect.element(document.documentElement).toHaveAttribute('data-theme', 'dark');
  });

  test('reviews every name before an irreversible command with focus on Cancel, where Enter changes nothing', async () => {
    await signIn('all', '/account');
    await runByPalette('account.endOtherSessions');
    await expect.element(paletteDialog().getByRole('heading')).toBeVisible();
    await expect.element(paletteDialog().getByRole('button', { name: '取消' })).toHaveFocus();
    await press('Enter');
    await expectHidden(paletteDialog());
    expect(readCalls('account/endOtherSessions')).toEqual([]);
  });

  test('reviews every name before a reversible command with focus on the action', async () => {
    await signIn('all', '/news');
    const title = await openNews(1);
    await runByPalette('news.delete');
    await expect.poll(() => textContents(paletteDialog().getByRole('heading'))).toEqual(['确定删除该新闻？']);
    await expect.poll(() => textContents(paletteDialog().getByRole('listitem'))).toEqual([title]);
    await expect.element(paletteDialog().getByRole('button', { name: '删除新闻' })).toHaveFocus();
    expect(readCalls('news/remove')).toEqual([]);
  });

  test('opens a form for longer input and closes the palette', async () => {
    await signIn('all', '/news');
    await runByPalette('news.add');
    await expect.element(page.getByRole('dialog', { name: '新增新闻' })).toBeVisible();
    await expectHidden(paletteDialog());
    await expect.element(page.getByLabelText('标题')).toHaveFocus();
  });
});

describe('the text typed into palette steps', () => {
  const address = '0x52908400098527886E0F7030069857D2E4169EE7';
  const runAdjust = async () => {
    await runByPalette('points.adjust');
    for (const text of [address, '-5', 'Typo']) {
      await expect.element(paletteInput()).toHaveValue('');
      await typeText(text);
      await press('Enter');
    }
    await expect.element(paletteDialog().getByRole('button', { name: '取消' })).toHaveFocus();
    await expect.element(paletteDialog().css('[data-consequences]')).toBeVisible();
  };

  test('is kept after a no in the review, and field by field on the way back', async () => {
    await signIn('all', '/', { points: { balancesOf: mockRoutes.points.balancesOf.handler(() => []) } });
    await runAdjust();
    await press('Enter');
    await expect.element(paletteInput()).toHaveValue('Typo');
    await expect.element(paletteInput()).toHaveFocus();
    await expect.element(paletteDialog()).toHaveTextContent(address);
    await press('Escape');
    await press('Backspace');
    await expect.element(paletteInput()).toHaveValue('-5');
    await paletteInput().fill('-6');
    await press('Enter');
    await expect.element(paletteInput()).not.toHaveValue('-6'); // the next step has come
    await typeText('Typo');
    await press('Enter');
    await expect.element(paletteDialog().getByRole('group')).toHaveTextContent('-6');
    await press('Escape');
    await expectHidden(paletteDialog());
  });

  const updatedAt = '2026-01-01T00:00:00.000Z';
  const balancesHandler = mockRoutes.points.balancesOf.handler(() => [
    { id: address, address, berries: '1200', entries: 1, updatedAt },
  ]);

  test('is kept after a refusal that names its field', async () => {
    const adjustHandler = mockRoutes.points.adjust.handler(() => {
      throw apiFailure('BALANCE_TOO_LOW', { addresses: [address] });
    });
    await signIn('all', '/', { points: { balancesOf: balancesHandler, adjust: adjustHandler } });
    await runAdjust();
    await press('ArrowRight');
    await press('Enter');
    await expect.element(paletteDialog().getByRole('alert')).toHaveTextContent(address);
    await expect.element(paletteInput()).toHaveValue('Typo');
  });

  test('is shown again at the refused field with the reason', async () => {
    const adjustHandler = mockRoutes.points.adjust.handler(() => {
      throw apiFailure('BAD_REQUEST', { issues: [{ path: 'berries', rule: 'balance' }] });
    });
    await signIn('all', '/', { points: { balancesOf: balancesHandler, adjust: adjustHandler } });
    await runAdjust();
    await press('ArrowRight');
    await press('Enter');
    await expect.element(paletteDialog().getByRole('alert')).toHaveTextContent('积分');
    await expect.element(paletteInput()).toHaveValue('-5');
    await press('Enter');
    await expect.element(paletteInput()).toHaveValue('Typo');
    await expectHidden(paletteDialog().getByRole('alert'));
  });

  test('is discarded when the person leaves during sending, and a refusal is shown as a notice', async () => {
    const saveHandler = mockRoutes.views.save.handler(() => {
      throw apiFailure('FORBIDDEN');
    });
    await signIn('all', '/news', { views: { list: mockRoutes.views.list.handler(() => []), save: saveHandler } });
    await openNews();
    const release = holdResponses('views/save');
    await runByPalette('views.save');
    await typeText('Mine');
    await press('Enter');
    await expect.poll(() => readCalls('views/save')).toHaveLength(1);
    for (let i = 0; i < 3; i++) await press('Escape');
    await expectHidden(paletteDialog());
    release();
    await expect.element(page.css('[data-toast="error"]')).toBeVisible();
    await press('j');
    await expect.poll(readCursorIndex).toBe(1);
  });

  test('keeps the palette for a person who stays when another step was left during sending', async () => {
    const savedView = { id: crypto.randomUUID(), version: 1, place: '/news', name: 'Mine', query: '' };
    const views = { list: mockRoutes.views.list.handler(() => []), save: mockRoutes.views.save.handler(() => savedView) };
    await signIn('all', '/news', { views });
    const release = holdResponses('views/save');
    await runByPalette('views.save');
    await typeText('Mine');
    await press('Enter');
    await expect.poll(() => readCalls('views/save')).toHaveLength(1);
    await press('Escape');
    await expect.element(paletteInput()).toHaveValue('views.save');
    const endedIds: string[] = [];
    const recordEnd = (event: Event) => void endedIds.push((event as CustomEvent<{ id: string }>).detail.id);
    addEventListener('panel-command', recordEnd);
    release();
    await expect.poll(() => endedIds).toContain('views.save');
    removeEventListener('panel-command', recordEnd);
    await new Promise(requestAnimationFrame);
    await expect.element(paletteInput()).toHaveFocus();
  });
});

test('a palette question is opened and answered by mouse alone', async () => {
  await signIn('all', '/');
  const button = page.getByRole('banner').getByRole('button', { name: '搜索或执行命令' });
  await button.click();
  await expect.element(paletteDialog()).toBeVisible();
  await paletteRow('go.news').click();
  await expectPath('/news');
  await button.click();
  await expect.element(paletteDialog()).toBeVisible();
  await commands.clickAt(20, 800);
  await expectHidden(paletteDialog());
});

describe('a link to a command', () => {
  test('asks first even without a form', async () => {
    await signIn('all', '/');
    const id = countNews()[0]?.id;
    await openScreen(`/~news.delete?id=${id}`);
    await expect.element(page.getByRole('alertdialog', { name: '确定删除该新闻？' })).toBeVisible();
    await press('Escape');
    await expect.element(page.getByRole('alertdialog')).toHaveLength(0);
    expect(countNews()[0]?.id).toBe(id);
    expect(readCalls('news/remove')).toEqual([]);
  });

  test('to a forbidden or unknown command shows a message', async () => {
    await signIn('analyst', '/');
    await loadPage(`/~news.delete?id=${countNews()[0]?.id}`);
    await expect.element(page.css('[data-toast="error"]')).toHaveTextContent('您没有');
    await expect.element(page.getByRole('alertdialog')).toHaveLength(0);
    await loadPage('/~no.such.command');
    await expectPath('/404');
  });
});
