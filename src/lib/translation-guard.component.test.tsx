import { StrictMode, useState, type ReactNode } from 'react';
import { flushSync } from 'react-dom';
import { createRoot, type Root } from 'react-dom/client';
import { afterEach, expect, test } from 'vitest';
import { page } from 'vitest/browser';
import { press, typeText } from '../testing/keys.ts';
import { openNews, listRows } from '../testing/list.ts';
import { paletteInput, paletteItems, openPaletteHere as openPalette, paletteDialog } from '../testing/palette.ts';
import { signIn } from '../testing/panel.tsx';
import { expectHidden } from '../testing/locators.ts';
import { translatePage } from '../testing/translator.ts';
import { guardAgainstTranslation } from './translation-guard.ts';

guardAgainstTranslation();

let root: Root | null = null;
let container: HTMLElement | null = null;
let stopGuard = () => {};
afterEach(() => {
  stopGuard();
  root?.unmount();
  container?.remove();
  root = null;
});

/** Renders a state and returns a function that renders the next one. */
function render<S>(initialState: S, renderState: (state: S) => ReactNode): (rerender: S) => void {
  let setRenderedState: (rerender: S) => void = () => {};
  function TestComponent() {
    const [state, setState] = useState(initialState);
    setRenderedState = setState;
    return <p>{renderState(state)}</p>;
  }
  container = document.body.appendChild(document.createElement('div'));
  root = createRoot(container);
  flushSync(() =>
    root?.render(
      <StrictMode>
        <TestComponent />
      </StrictMode>,
    ),
  );
  return (rerender) => flushSync(() => setRenderedState(rerender));
}
const readText = () => container?.textContent;
const waitForObserver = () => new Promise((resolve) => setTimeout(resolve, 150));

test('a translated text that changes shows its new value', async () => {
  const rerender = render('two', (word) => <>{word} items</>);
  stopGuard = translatePage();
  expect(readText()).toBe('«two»« items»');
  rerender('three');
  await waitForObserver();
  expect(readText()).toBe('«three»« items»');
  rerender('four');
  rerender('five');
  await waitForObserver();
  expect(readText()).toBe('«five»« items»');
});

test('removing a translated text removes its translation, and a new one takes its place', async () => {
  const rerender = render(true, (isFirst) => (
    <>
      {isFirst && 'one '}
      two
      {!isFirst && ' three'}
      <b>end</b>
    </>
  ));
  stopGuard = translatePage();
  rerender(false);
  await waitForObserver();
  expect(readText()).toBe('«two»« three»«end»');
  rerender(true);
  await waitForObserver();
  expect(readText()).toBe('«one »«two»«end»');
});

test('elements are inserted before and moved around a translated text', async () => {
  const rerender = render(['a', 'b'], (keys) => (
    <>
      {keys.map((key) => (
        <i key={key}>{key}</i>
      ))}
      text
    </>
  ));
  stopGuard = translatePage();
  rerender(['b', 'c', 'a']);
  await waitForObserver();
  expect(readText()).toBe('«b»«c»«a»«text»');
});

test('texts keep updating after translation is turned off', async () => {
  const rerender = render('two', (word) => <>{word} items</>);
  stopGuard = translatePage();
  stopGuard();
  for (const font of document.querySelectorAll('p > font')) font.replaceWith(font.textContent?.slice(1, -1) ?? '');
  expect(readText()).toBe('two items');
  await waitForObserver();
  rerender('three');
  await waitForObserver();
  expect(readText()).toBe('three items');
});

test('an element that an extension wrapped or removed can be removed', async () => {
  const rerender = render(true, (isVisible) => (isVisible ? [<input key="wrapped" />, <i key="gone">x</i>, 'end'] : 'end'));
  const input = container?.querySelector('input');
  const wrapper = document.createElement('div');
  input?.replaceWith(wrapper);
  if (input) wrapper.append(input);
  container?.querySelector('i')?.remove();
  rerender(false);
  await waitForObserver();
  expect(container?.innerHTML).toBe('<p>end</p>');
});

test('the palette, rows and a form work on a translated page', { timeout: 60_000 }, async () => {
  await signIn('all', '/news');
  await openNews(1);
  stopGuard = translatePage((text) => text);
  await openPalette();
  for (const letter of 'new') {
    await typeText(letter);
    await waitForObserver();
  }
  await expect.poll(() => paletteItems().elements().length).toBeGreaterThan(3);
  await press('ArrowDown');
  await paletteInput().fill('');
  await waitForObserver();
  await press('Escape');
  await expectHidden(paletteDialog());

  await press('x');
  await waitForObserver();
  await press('j');
  await press('x');
  await expect.poll(() => document.querySelector('[data-foot]')?.textContent).toContain('2');
  await press('Escape');
  await press('Escape');
  await press('c');
  const title = page.getByRole('textbox', { name: /标题/ }).first();
  await expect.element(title).toHaveFocus();
  await typeText('Translated');
  await waitForObserver();
  await press('Control+Enter'); // incomplete: the form shows an error
  await waitForObserver();
  await expect.element(title).toHaveValue('Translated');
  await press('Escape');
  await waitForObserver();
  await press('Enter');
  await waitForObserver();
  await expect.element(listRows().first()).toBeVisible();
  expect(document.body.textContent).not.toContain('出错');
});
