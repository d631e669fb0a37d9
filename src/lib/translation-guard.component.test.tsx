import { StrictMode, useState, type ReactNode } from 'react';
import { flushSync } from 'react-dom';
import { createRoot, type Root } from 'react-dom/client';
import { afterEach, expect, test } from 'vitest';
import { page } from 'vitest/browser';
import { press, type } from '../testing/keys.ts';
import { openNews, listRows } from '../testing/list.ts';
import { paletteInput, paletteItems, openPaletteHere as openPalette, paletteDialog } from '../testing/palette.ts';
import { signIn } from '../testing/panel.tsx';
import { expectHidden } from '../testing/see.ts';
import { translatePage } from '../testing/translator.ts';
import { guardAgainstTranslation } from './translation-guard.ts';

guardAgainstTranslation();

let root: Root | null = null;
let place: HTMLElement | null = null;
let stop = () => {};
afterEach(() => {
  stop();
  root?.unmount();
  place?.remove();
  root = null;
});

/** Renders a state and returns a function that renders the next one. */
function draw<S>(first: S, of: (state: S) => ReactNode): (next: S) => void {
  let set: (next: S) => void = () => {};
  function Drawn() {
    const [state, setState] = useState(first);
    set = setState;
    return <p>{of(state)}</p>;
  }
  place = document.body.appendChild(document.createElement('div'));
  root = createRoot(place);
  flushSync(() =>
    root?.render(
      <StrictMode>
        <Drawn />
      </StrictMode>,
    ),
  );
  return (next) => flushSync(() => set(next));
}
const shown = () => place?.textContent;
const settled = () => new Promise((resolve) => setTimeout(resolve, 150));

test('a translated text that changes shows its new value', async () => {
  const next = draw('two', (word) => <>{word} items</>);
  stop = translatePage();
  expect(shown()).toBe('«two»« items»');
  next('three');
  await settled();
  expect(shown()).toBe('«three»« items»');
  next('four');
  next('five');
  await settled();
  expect(shown()).toBe('«five»« items»');
});

test('removing a translated text removes its translation, and a new one takes its place', async () => {
  const next = draw(true, (isFirst) => (
    <>
      {isFirst && 'one '}
      two
      {!isFirst && ' three'}
      <b>end</b>
    </>
  ));
  stop = translatePage();
  next(false);
  await settled();
  expect(shown()).toBe('«two»« three»«end»');
  next(true);
  await settled();
  expect(shown()).toBe('«one »«two»«end»');
});

test('elements are inserted before and moved around a translated text', async () => {
  const next = draw(['a', 'b'], (keys) => (
    <>
      {keys.map((key) => (
        <i key={key}>{key}</i>
      ))}
      text
    </>
  ));
  stop = translatePage();
  next(['b', 'c', 'a']);
  await settled();
  expect(shown()).toBe('«b»«c»«a»«text»');
});

test('texts keep updating after translation is turned off', async () => {
  const next = draw('two', (word) => <>{word} items</>);
  stop = translatePage();
  stop();
  for (const font of document.querySelectorAll('p > font')) font.replaceWith(font.textContent?.slice(1, -1) ?? '');
  expect(shown()).toBe('two items');
  await settled();
  next('three');
  await settled();
  expect(shown()).toBe('three items');
});

test('an element that an extension wrapped or removed can be removed', async () => {
  const next = draw(true, (isThere) => (isThere ? [<input key="wrapped" />, <i key="gone">x</i>, 'end'] : 'end'));
  const input = place?.querySelector('input');
  const wrapper = document.createElement('div');
  input?.replaceWith(wrapper);
  if (input) wrapper.append(input);
  place?.querySelector('i')?.remove();
  next(false);
  await settled();
  expect(place?.innerHTML).toBe('<p>end</p>');
});

test('the palette, rows and a form work on a translated page', { timeout: 60_000 }, async () => {
  await signIn('all', '/news');
  await openNews(1);
  stop = translatePage((text) => text);
  await openPalette();
  for (const letter of 'new') {
    await type(letter);
    await settled();
  }
  await expect.poll(() => paletteItems().elements().length).toBeGreaterThan(3);
  await press('ArrowDown');
  await paletteInput().fill('');
  await settled();
  await press('Escape');
  await expectHidden(paletteDialog());

  await press('x');
  await settled();
  await press('j');
  await press('x');
  await expect.poll(() => document.querySelector('[data-foot]')?.textContent).toContain('2');
  await press('Escape');
  await press('Escape');
  await press('c');
  const title = page.getByRole('textbox', { name: /标题/ }).first();
  await expect.element(title).toHaveFocus();
  await type('Translated');
  await settled();
  await press('Control+Enter'); // incomplete: the form shows an error
  await settled();
  await expect.element(title).toHaveValue('Translated');
  await press('Escape');
  await settled();
  await press('Enter');
  await settled();
  await expect.element(listRows().first()).toBeVisible();
  expect(document.body.textContent).not.toContain('出错');
});
