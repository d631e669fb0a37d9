import { describe, expect, test, vi } from 'vitest';
import { cdp, commands, page, type Locator } from 'vitest/browser';
import { readCalls, holdResponses, mockRoutes } from '../../../testing/api.ts';
import { holdKey, press, pressKeys, typeText } from '../../../testing/keys.ts';
import { checkedRows, cursorRow, moveToShownRow, visibleDialogs, openNews, listRows } from '../../../testing/list.ts';
import { readCursorIndex, readPageState } from '../../../../e2e/support/page-state.ts';
import { paletteInput, paletteItems, paletteDialog } from '../../../testing/palette.ts';
import { signIn } from '../../../testing/panel.tsx';
import { expectHidden, expectPath } from '../../../testing/locators.ts';

const heading = () => page.getByRole('heading', { level: 1 });
const sheet = () => page.getByRole('dialog', { name: '键盘快捷键' });
const filter = () => page.getByRole('search').getByRole('textbox');
const focus = (locator: Locator) => (locator.element() as HTMLElement).focus();

/** Events that this browser's keyboard can't make, such as an input method's. */
const dispatchKey = (target: Element, event: KeyboardEventInit) =>
  target.dispatchEvent(new KeyboardEvent('keydown', { ...event, bubbles: true, cancelable: true }));

describe('sequences', () => {
  const hint = () => page.getByRole('status').filter({ hasText: '接着按' });

  test('run with g and a letter, and the hint lists what may follow and disappears', async () => {
    await signIn('editor', '/');
    await press('g');
    await expect.element(hint()).toBeVisible();
    const hintTexts = hint()
      .getByRole('listitem')
      .elements()
      .map(({ textContent }) => textContent ?? '');
    const homeIndex = hintTexts.findIndex((text) => text.includes('前往首页'));
    expect(homeIndex).toBeGreaterThanOrEqual(0);
    expect(hintTexts.findIndex((text) => text.includes('前往新闻管理'))).toBeGreaterThan(homeIndex);
    await expect.element(hint()).not.toHaveTextContent('前往管理员'); // no right, no hint
    await press('n');
    await expectPath('/news');
    await expectHidden(hint());
  });

  test('pressed while the page loads run once it is ready, up to the first dialog, and only once', async () => {
    const earlyKeys = ['g', 'n'].map((key) => new KeyboardEvent('keydown', { key, code: `Key${key.toUpperCase()}` }));
    window.earlyKeys = { keep() {}, take: () => earlyKeys.splice(0) };
    await signIn('editor', '/');
    await expectPath('/news');
    expect(earlyKeys).toEqual([]);
    delete window.earlyKeys;
  });

  test('keep the text typed after the palette’s key while the page loads', async () => {
    const earlyKeys = ['k', 'n', 'e', 'w', 's', '.', 'h'].map(
      (key) => new KeyboardEvent('keydown', { key, code: `Key${key.toUpperCase()}`, ctrlKey: key === 'k' }),
    );
    window.earlyKeys = { keep() {}, take: () => earlyKeys.splice(0) };
    await signIn('editor', '/news');
    delete window.earlyKeys;
    await expect.element(paletteInput()).toHaveValue('news.h');
    await expect.element(paletteInput()).toHaveFocus();
    await typeText('ide');
    await expect.element(paletteItems().first()).toHaveAttribute('data-row', 'news.hide');
    await press('Escape');
    await press('Escape');
    await expectHidden(paletteDialog());
    await press('Control+k');
    await expect.element(paletteInput()).toHaveValue('');
  });

  test('treat an unknown second key as itself and a late one as a first', async () => {
    await signIn('all', '/news');
    await openNews();
    await press('g');
    await press('j');
    expect(readCursorIndex()).toBe(0);
    expect(location.pathname).toBe('/news');

    await press('g');
    await expect.element(hint()).toBeVisible();
    await expectHidden(hint()); // longer than a sequence may take
    await press('h'); // g h would go home; h alone asks to hide the row
    await expect.element(page.getByRole('alertdialog')).toBeVisible();
    expect(location.pathname).toBe('/news');
  });
});

describe('typing', () => {
  test('enters letters in a field without running commands', async () => {
    await signIn('all', '/news');
    await openNews(1);
    await press('/');
    await expect.element(filter()).toHaveFocus();
    const typedText = 'cehsixjkryg n?#./';
    await typeText(typedText);
    await expect.element(filter()).toHaveValue(typedText);
    await expect.element(filter()).toHaveFocus();
    expect(visibleDialogs()).toHaveLength(0);
    expect(location.pathname).toBe('/news');
    await press('Control+a');
    await expect.element(checkedRows()).toHaveLength(0);
    await press('Control+z');
    await expect.element(page.css('[data-toast]')).toHaveLength(0);
    await press('Control+k');
    await expect.element(paletteDialog()).toBeVisible();
  });

  test('leaves keys to an active input method: Enter and Escape act on the word only', async () => {
    await signIn('all', '/');
    await press('Control+k');
    await expect.element(paletteInput()).toHaveFocus();
    await cdp().send('Input.imeSetComposition', { text: 'xinwen', selectionStart: 6, selectionEnd: 6 });
    for (const key of ['Enter', 'ArrowDown', 'Escape', 'Backspace']) {
      dispatchKey(paletteInput().element(), { key, code: key, isComposing: true, keyCode: 229 });
    }
    await expect.element(paletteDialog()).toBeVisible();
    expect(location.pathname).toBe('/');
    await cdp().send('Input.insertText', { text: '新闻管理' });
    await expect.element(paletteInput()).toHaveValue('新闻管理');
    await expect.element(paletteItems().first()).toHaveAttribute('data-row', 'go.news');
    await press('Enter');
    await expectPath('/news');
  });

  test('triggers nothing for a key that an input method uses', async () => {
    await signIn('all', '/news');
    await openNews(1);
    const previousState = readPageState();
    for (const event of [
      { key: 'Process', code: 'KeyJ', keyCode: 229 },
      { key: 'j', code: 'KeyJ', isComposing: true },
      { key: 'c', code: 'KeyC', keyCode: 229 },
      { key: 'Enter', code: 'Enter', isComposing: true },
    ]) {
      dispatchKey(document.body, event);
      await press('Shift'); // no effect of its own, so all pending events have arrived
      expect(readPageState()).toEqual(previousState);
    }
    dispatchKey(document.body, { key: 'j', code: 'KeyJ' });
    await expect.poll(readCursorIndex).toBe(1);
  });
});

test('Escape cancels a composition without closing the form, and the next Escape closes the form', async () => {
  await signIn('all', '/news');
  await openNews();
  await press('c');
  const title = page.getByRole('dialog', { name: '新增新闻' }).getByLabelText('标题');
  await expect.element(title).toHaveFocus();
  const composingEvents = [{ isComposing: true }, { keyCode: 229 }]; // the second as Safari sends it
  const pressEscape = () =>
    composingEvents.map((eventInit) => dispatchKey(title.element(), { key: 'Escape', code: 'Escape', ...eventInit }));
  let receivedCount = 0;
  const countEvent = () => (receivedCount += 1);
  addEventListener('keydown', countEvent, true);
  expect(pressEscape()).toEqual([true, true]);
  await press('Shift');
  removeEventListener('keydown', countEvent, true);
  expect(receivedCount).toBe(1);
  await expect.element(title).toBeVisible();
  await expect.element(title).toHaveFocus();
  await press('Escape');
  await expect.poll(visibleDialogs).toHaveLength(0);
});

describe('keyboard layouts', () => {
  const pressWithModifiers = async (key: string, code: string, modifiers = 0) => {
    await cdp().send('Input.dispatchKeyEvent', { type: 'rawKeyDown', key, code, modifiers });
    await cdp().send('Input.dispatchKeyEvent', { type: 'keyUp', key, code, modifiers });
  };
  const controlModifier = 2;
  const shiftModifier = 8;

  test('match Cyrillic letters by key position', async () => {
    await signIn('all', '/news');
    await openNews();
    await pressWithModifiers('о', 'KeyJ');
    expect(readCursorIndex()).toBe(0);
    await pressWithModifiers('п', 'KeyG');
    await pressWithModifiers('р', 'KeyH');
    await expectPath('/');
    await pressWithModifiers('л', 'KeyK', controlModifier);
    await expect.element(paletteDialog()).toBeVisible();
  });

  test('match Dvorak letters by character', async () => {
    await signIn('all', '/news');
    await openNews();
    await pressWithModifiers('j', 'KeyC');
    expect(readCursorIndex()).toBe(0);
    expect(visibleDialogs()).toHaveLength(0);
    await pressWithModifiers('t', 'KeyK', controlModifier);
    expect(visibleDialogs()).toHaveLength(0);
    await pressWithModifiers('k', 'KeyV', controlModifier);
    await expect.element(paletteDialog()).toBeVisible();
  });

  test('match signs of AZERTY and QWERTZ by character', async () => {
    await signIn('all', '/news');
    await openNews(1);
    await pressWithModifiers('/', 'Digit7', shiftModifier); // QWERTZ
    await expect.element(filter()).toHaveFocus();
    await press('Escape');
    await heading().click();
    await pressWithModifiers('?', 'KeyM', shiftModifier); // AZERTY
    await expect.element(sheet()).toBeVisible();
    await press('Escape');
    await expect.poll(visibleDialogs).toHaveLength(0);
    // AZERTY: AltGr and the key of 3; Windows says Control and Alt are down too.
    dispatchKey(document.body, { key: '#', code: 'Digit3', ctrlKey: true, altKey: true, modifierAltGraph: true });
    await expect.element(page.getByRole('alertdialog')).toBeVisible();
  });

  test('match full-width signs of a Chinese keyboard by key position', async () => {
    await signIn('all', '/news');
    await pressWithModifiers('？', 'Slash', shiftModifier);
    await expect.element(sheet()).toBeVisible();
  });
});

test('Control+K opens and closes the palette and returns the focus', async () => {
  await signIn('all', '/news');
  await openNews();
  const link = page.getByRole('navigation').getByRole('link', { name: '首页' });
  focus(link);
  await press('Control+k');
  await expect.element(paletteDialog()).toBeVisible();
  await press('Control+k');
  await expectHidden(paletteDialog());
  await expect.element(link).toHaveFocus();
});

test('keys that move the row move the focus too, and a list keeps its cursor when reopened', async () => {
  await signIn('all', '/news');
  await openNews();
  focus(page.getByRole('navigation').getByRole('link', { name: '首页' }));
  for (const key of ['j', 'j', 'Enter']) await press(key);
  await expect.element(page.css('[data-record]')).toBeVisible();
  await press('Escape');
  await pressKeys('g f');
  await expect.element(page.getByRole('heading', { level: 1, name: '反馈管理' })).toBeVisible();
  await pressKeys('g n');
  await expect.poll(readCursorIndex).toBe(1);
});

test('a list left far down is drawn there first', async () => {
  await signIn('all', '/news');
  await openNews();
  await press('End');
  const lastRowIndex = await vi.waitUntil(() => cursorRow().elements()[0]?.getAttribute('aria-rowindex'));
  await pressKeys('g f');
  await expect.element(page.getByRole('heading', { level: 1, name: '反馈管理' })).toBeVisible();
  const firstRender = new Promise<(string | null)[]>((resolve) => {
    const observer = new MutationObserver(() => {
      const renderedRows = listRows().elements();
      if (renderedRows.length === 0) return;
      observer.disconnect();
      resolve(renderedRows.map((row) => row.getAttribute('aria-rowindex')));
    });
    observer.observe(document.body, { childList: true, subtree: true });
  });
  await pressKeys('g n');
  const firstRows = await firstRender;
  expect(firstRows.at(-1)).toBe(lastRowIndex);
  expect(firstRows).not.toContain('2');
  await expect.element(cursorRow()).toBeInViewport();
});

test('a record that loads late does not take keys from the open palette', async () => {
  const entry = {
    id: '01900000-0000-7000-8000-0000000000aa',
    seq: 1,
    at: '2026-10-01T08:00:00.000Z',
    actorEmail: 'admin@demo.local',
    command: 'news.hide',
    route: 'news.hide',
    action: 'update',
    entity: 'news',
    entityId: '01900000-0000-7000-8000-000000000000',
    name: null,
    names: null,
    result: 'done' as const,
    ip: '127.0.0.1',
  };
  const entryDetails = { permission: null, requestId: 'r', idempotencyKey: null, before: {}, after: {}, prevHash: '', hash: '' };
  await signIn('all', '/audit', {
    audit: {
      list: mockRoutes.audit.list.handler(() => ({
        rows: [entry],
        nextCursor: null,
        prevCursor: null,
        count: { value: 1, kind: 'exact' },
      })),
      details: mockRoutes.audit.details.handler(() => ({ ...entry, ...entryDetails })),
    },
  });
  const release = holdResponses('audit/details');
  await expect.element(listRows().first()).toBeVisible();
  await press('j');
  await press('Enter');
  await press('Control+k');
  await expect.element(paletteInput()).toHaveFocus();
  await expect.poll(() => readCalls('audit/details')).toHaveLength(1);
  release();
  await typeText('help', 50);
  await expect.element(paletteInput()).toHaveValue('help');
  await press('Escape');
  await press('Escape');
  await expect.element(page.css('[data-record]')).toBeVisible();
});

describe('a held key', () => {
  test('opens a palette row’s question by Enter without answering it', async () => {
    await signIn('all', '/news');
    await openNews();
    await moveToShownRow();
    await press('Control+k');
    await expect.element(paletteInput()).toHaveFocus();
    await typeText('news.hide');
    await expect.element(paletteItems().first()).toHaveAttribute('data-row', 'news.hide');
    await holdKey('Enter');
    await expect.element(page.css('[data-palette]').getByRole('button').last()).toHaveFocus();
    expect(readCalls('news/hide')).toEqual([]);
  });

  test('answers a confirmation by Enter once', async () => {
    await signIn('all', '/news');
    await openNews();
    await moveToShownRow();
    await press('h');
    await expect.element(page.getByRole('alertdialog')).toBeVisible();
    await holdKey('Enter');
    await expect.element(page.getByText('操作成功')).toBeVisible();
    await expect.poll(visibleDialogs).toHaveLength(0);
    expect(readCalls('news/hide')).toHaveLength(1);
  });

  test('opens the record by Enter and presses nothing in it', async () => {
    await signIn('all', '/news');
    await openNews(1);
    await commands.keyDown('Enter', 1);
    await expect.poll(() => location.search).toMatch(/^\?open=/);
    await expect.element(page.getByRole('dialog')).toBeVisible();
    await holdKey('Enter');
    await expect.poll(visibleDialogs).toHaveLength(1);
    expect(location.search).toMatch(/^\?open=/);
  });

  test('opens a dialog once, while j keeps moving', async () => {
    await signIn('all', '/news');
    await openNews();
    await holdKey('j', 4);
    await expect.poll(readCursorIndex).toBe(4);
    await holdKey('c');
    await expect.poll(visibleDialogs).toHaveLength(1);
    await expect.element(page.getByRole('dialog', { name: '新增新闻' }).getByLabelText('标题')).toHaveValue('');
  });
});

test('keys for a row that are pressed while new rows load act on the new rows in order', async () => {
  await signIn('all', '/news');
  await openNews(1);
  const previousId = cursorRow().element().id;
  const release = holdResponses('news/list', (requestInput) => JSON.stringify(requestInput).includes('shown'));
  history.replaceState(null, '', '/news?shown=false');
  dispatchEvent(new PopStateEvent('popstate'));
  await expect.poll(() => readCalls('news/list').length).toBeGreaterThan(1);
  for (const key of ['Home', 'j', 'Enter']) await press(key);
  await new Promise((resolve) => setTimeout(resolve, 300));
  expect([cursorRow().element().id, location.search]).toEqual([previousId, '?shown=false']);
  release();
  await expect.element(page.css('[data-record]')).toBeVisible();
  expect(readCursorIndex()).toBe(1);
  expect(location.search).toContain(`open=${cursorRow().element().id.slice(-36)}`);
  expect(cursorRow().getByText('不展示', { exact: true }).elements()).toHaveLength(1);
});

test('the browser’s keys still work while rows load, and pending keys are dropped', async () => {
  await signIn('all', '/news');
  await openNews(1);
  const release = holdResponses('news/list', (requestInput) => JSON.stringify(requestInput).includes('shown'));
  history.replaceState(null, '', '/news?shown=false');
  dispatchEvent(new PopStateEvent('popstate'));
  await expect.poll(() => readCalls('news/list').length).toBeGreaterThan(1);
  for (const focusedCommand of [
    { key: 'F5', code: 'F5' },
    { key: 'r', code: 'KeyR', ctrlKey: true },
    { key: 'ArrowLeft', code: 'ArrowLeft', altKey: true },
    { key: 'Tab', code: 'Tab' },
  ]) {
    expect(dispatchKey(document.body, { key: 'j', code: 'KeyJ' })).toBe(false);
    expect(dispatchKey(document.body, focusedCommand), focusedCommand.key).toBe(true);
  }
  release();
  await expect.element(listRows().first()).toHaveTextContent('不展示');
  await new Promise((resolve) => setTimeout(resolve, 300));
  expect(readCursorIndex()).toBe(0);
});
