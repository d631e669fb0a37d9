import { describe, expect, test, vi } from 'vitest';
import { cdp, commands, page, type Locator } from 'vitest/browser';
import { callsOf, holdResponses, on } from '../../../testing/api.ts';
import { holdKey, press, pressKeys, type } from '../../../testing/keys.ts';
import { checkedRows, cursorRow, moveToShownRow, visibleDialogs, openNews, listRows } from '../../../testing/list.ts';
import { cursorAt, stateOf } from '../../../../e2e/support/page-state.ts';
import { paletteInput, paletteItems, paletteDialog } from '../../../testing/palette.ts';
import { signIn } from '../../../testing/panel.tsx';
import { expectHidden, expectPath } from '../../../testing/see.ts';

const heading = () => page.getByRole('heading', { level: 1 });
const sheet = () => page.getByRole('dialog', { name: '键盘快捷键' });
const filter = () => page.getByRole('search').getByRole('textbox');
const focus = (locator: Locator) => (locator.element() as HTMLElement).focus();

/** Events that this browser's keyboard can't make, such as an input method's. */
const pretend = (target: Element, event: KeyboardEventInit) =>
  target.dispatchEvent(new KeyboardEvent('keydown', { ...event, bubbles: true, cancelable: true }));

describe('sequences', () => {
  const hint = () => page.getByRole('status').filter({ hasText: '接着按' });

  test('run with g and a letter, and the hint lists what may follow and disappears', async () => {
    await signIn('editor', '/');
    await press('g');
    await expect.element(hint()).toBeVisible();
    const said = hint()
      .getByRole('listitem')
      .elements()
      .map(({ textContent }) => textContent ?? '');
    const home = said.findIndex((text) => text.includes('前往首页'));
    expect(home).toBeGreaterThanOrEqual(0);
    expect(said.findIndex((text) => text.includes('前往新闻管理'))).toBeGreaterThan(home);
    await expect.element(hint()).not.toHaveTextContent('前往管理员'); // no right, no hint
    await press('n');
    await expectPath('/news');
    await expectHidden(hint());
  });

  test('pressed while the page loads run once it is ready, up to the first dialog, and only once', async () => {
    const pressed = ['g', 'n'].map((key) => new KeyboardEvent('keydown', { key, code: `Key${key.toUpperCase()}` }));
    window.earlyKeys = { keep() {}, take: () => pressed.splice(0) };
    await signIn('editor', '/');
    await expectPath('/news');
    expect(pressed).toEqual([]);
    delete window.earlyKeys;
  });

  test('keep the text typed after the palette’s key while the page loads', async () => {
    const pressed = ['k', 'n', 'e', 'w', 's', '.', 'h'].map(
      (key) => new KeyboardEvent('keydown', { key, code: `Key${key.toUpperCase()}`, ctrlKey: key === 'k' }),
    );
    window.earlyKeys = { keep() {}, take: () => pressed.splice(0) };
    await signIn('editor', '/news');
    delete window.earlyKeys;
    await expect.element(paletteInput()).toHaveValue('news.h');
    await expect.element(paletteInput()).toHaveFocus();
    await type('ide');
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
    expect(cursorAt()).toBe(0);
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
    const typed = 'cehsixjkryg n?#./';
    await type(typed);
    await expect.element(filter()).toHaveValue(typed);
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
      pretend(paletteInput().element(), { key, code: key, isComposing: true, keyCode: 229 });
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
    const before = stateOf();
    for (const event of [
      { key: 'Process', code: 'KeyJ', keyCode: 229 },
      { key: 'j', code: 'KeyJ', isComposing: true },
      { key: 'c', code: 'KeyC', keyCode: 229 },
      { key: 'Enter', code: 'Enter', isComposing: true },
    ]) {
      pretend(document.body, event);
      await press('Shift'); // no effect of its own, so all pending events have arrived
      expect(stateOf()).toEqual(before);
    }
    pretend(document.body, { key: 'j', code: 'KeyJ' });
    await expect.poll(cursorAt).toBe(1);
  });
});

test('Escape cancels a composition without closing the form, and the next Escape closes the form', async () => {
  await signIn('all', '/news');
  await openNews();
  await press('c');
  const title = page.getByRole('dialog', { name: '新增新闻' }).getByLabelText('标题');
  await expect.element(title).toHaveFocus();
  const composing = [{ isComposing: true }, { keyCode: 229 }]; // the second as Safari sends it
  const giveUp = () => composing.map((how) => pretend(title.element(), { key: 'Escape', code: 'Escape', ...how }));
  let received = 0;
  const hear = () => (received += 1);
  addEventListener('keydown', hear, true);
  expect(giveUp()).toEqual([true, true]);
  await press('Shift');
  removeEventListener('keydown', hear, true);
  expect(received).toBe(1);
  await expect.element(title).toBeVisible();
  await expect.element(title).toHaveFocus();
  await press('Escape');
  await expect.poll(visibleDialogs).toHaveLength(0);
});

describe('keyboard layouts', () => {
  const pressAs = async (key: string, code: string, modifiers = 0) => {
    await cdp().send('Input.dispatchKeyEvent', { type: 'rawKeyDown', key, code, modifiers });
    await cdp().send('Input.dispatchKeyEvent', { type: 'keyUp', key, code, modifiers });
  };
  const control = 2;
  const shift = 8;

  test('match Cyrillic letters by key position', async () => {
    await signIn('all', '/news');
    await openNews();
    await pressAs('о', 'KeyJ');
    expect(cursorAt()).toBe(0);
    await pressAs('п', 'KeyG');
    await pressAs('р', 'KeyH');
    await expectPath('/');
    await pressAs('л', 'KeyK', control);
    await expect.element(paletteDialog()).toBeVisible();
  });

  test('match Dvorak letters by character', async () => {
    await signIn('all', '/news');
    await openNews();
    await pressAs('j', 'KeyC');
    expect(cursorAt()).toBe(0);
    expect(visibleDialogs()).toHaveLength(0);
    await pressAs('t', 'KeyK', control);
    expect(visibleDialogs()).toHaveLength(0);
    await pressAs('k', 'KeyV', control);
    await expect.element(paletteDialog()).toBeVisible();
  });

  test('match signs of AZERTY and QWERTZ by character', async () => {
    await signIn('all', '/news');
    await openNews(1);
    await pressAs('/', 'Digit7', shift); // QWERTZ
    await expect.element(filter()).toHaveFocus();
    await press('Escape');
    await heading().click();
    await pressAs('?', 'KeyM', shift); // AZERTY
    await expect.element(sheet()).toBeVisible();
    await press('Escape');
    await expect.poll(visibleDialogs).toHaveLength(0);
    // AZERTY: AltGr and the key of 3; Windows says Control and Alt are down too.
    pretend(document.body, { key: '#', code: 'Digit3', ctrlKey: true, altKey: true, modifierAltGraph: true });
    await expect.element(page.getByRole('alertdialog')).toBeVisible();
  });

  test('match full-width signs of a Chinese keyboard by key position', async () => {
    await signIn('all', '/news');
    await pressAs('？', 'Slash', shift);
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
  await expect.poll(cursorAt).toBe(1);
});

test('a list left far down is drawn there first', async () => {
  await signIn('all', '/news');
  await openNews();
  await press('End');
  const last = await vi.waitUntil(() => cursorRow().elements()[0]?.getAttribute('aria-rowindex'));
  await pressKeys('g f');
  await expect.element(page.getByRole('heading', { level: 1, name: '反馈管理' })).toBeVisible();
  const firstDrawn = new Promise<(string | null)[]>((resolve) => {
    const watch = new MutationObserver(() => {
      const rendered = listRows().elements();
      if (rendered.length === 0) return;
      watch.disconnect();
      resolve(rendered.map((row) => row.getAttribute('aria-rowindex')));
    });
    watch.observe(document.body, { childList: true, subtree: true });
  });
  await pressKeys('g n');
  const rendered = await firstDrawn;
  expect(rendered.at(-1)).toBe(last);
  expect(rendered).not.toContain('2');
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
  const more = { permission: null, requestId: 'r', idempotencyKey: null, before: {}, after: {}, prevHash: '', hash: '' };
  await signIn('all', '/audit', {
    audit: {
      list: on.audit.list.handler(() => ({
        rows: [entry],
        nextCursor: null,
        prevCursor: null,
        count: { value: 1, kind: 'exact' },
      })),
      details: on.audit.details.handler(() => ({ ...entry, ...more })),
    },
  });
  const release = holdResponses('audit/details');
  await expect.element(listRows().first()).toBeVisible();
  await press('j');
  await press('Enter');
  await press('Control+k');
  await expect.element(paletteInput()).toHaveFocus();
  await expect.poll(() => callsOf('audit/details')).toHaveLength(1);
  release();
  await type('help', 50);
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
    await type('news.hide');
    await expect.element(paletteItems().first()).toHaveAttribute('data-row', 'news.hide');
    await holdKey('Enter');
    await expect.element(page.css('[data-palette]').getByRole('button').last()).toHaveFocus();
    expect(callsOf('news/hide')).toEqual([]);
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
    expect(callsOf('news/hide')).toHaveLength(1);
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
    await expect.poll(cursorAt).toBe(4);
    await holdKey('c');
    await expect.poll(visibleDialogs).toHaveLength(1);
    await expect.element(page.getByRole('dialog', { name: '新增新闻' }).getByLabelText('标题')).toHaveValue('');
  });
});

test('keys for a row that are pressed while new rows load act on the new rows in order', async () => {
  await signIn('all', '/news');
  await openNews(1);
  const before = cursorRow().element().id;
  const release = holdResponses('news/list', (requested) => JSON.stringify(requested).includes('shown'));
  history.replaceState(null, '', '/news?shown=false');
  dispatchEvent(new PopStateEvent('popstate'));
  await expect.poll(() => callsOf('news/list').length).toBeGreaterThan(1);
  for (const key of ['Home', 'j', 'Enter']) await press(key);
  await new Promise((done) => setTimeout(done, 300));
  expect([cursorRow().element().id, location.search]).toEqual([before, '?shown=false']);
  release();
  await expect.element(page.css('[data-record]')).toBeVisible();
  expect(cursorAt()).toBe(1);
  expect(location.search).toContain(`open=${cursorRow().element().id.slice(-36)}`);
  expect(cursorRow().getByText('不展示', { exact: true }).elements()).toHaveLength(1);
});

test('the browser’s keys still work while rows load, and pending keys are dropped', async () => {
  await signIn('all', '/news');
  await openNews(1);
  const release = holdResponses('news/list', (requested) => JSON.stringify(requested).includes('shown'));
  history.replaceState(null, '', '/news?shown=false');
  dispatchEvent(new PopStateEvent('popstate'));
  await expect.poll(() => callsOf('news/list').length).toBeGreaterThan(1);
  for (const own of [
    { key: 'F5', code: 'F5' },
    { key: 'r', code: 'KeyR', ctrlKey: true },
    { key: 'ArrowLeft', code: 'ArrowLeft', altKey: true },
    { key: 'Tab', code: 'Tab' },
  ]) {
    expect(pretend(document.body, { key: 'j', code: 'KeyJ' })).toBe(false);
    expect(pretend(document.body, own), own.key).toBe(true);
  }
  release();
  await expect.element(listRows().first()).toHaveTextContent('不展示');
  await new Promise((done) => setTimeout(done, 300));
  expect(cursorAt()).toBe(0);
});
