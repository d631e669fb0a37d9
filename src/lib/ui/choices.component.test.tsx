import { useState } from 'react';
import { flushSync } from 'react-dom';
import { createRoot, type Root } from 'react-dom/client';
import { afterEach, expect, test, vi } from 'vitest';
import { page } from 'vitest/browser';
import { press } from '../../testing/keys.ts';
import { Segments } from './segments.tsx';
import { Tabs } from './tabs.tsx';
import '../../styles.css';

const options = (['day', 'week', 'month'] as const).map((value) => ({ value, label: value, panel: () => `every ${value}` }));
type Value = (typeof options)[number]['value'];

let root: Root | null = null;

function draw(kind: 'radio' | 'tab', dir: 'ltr' | 'rtl') {
  document.dir = dir;
  function Drawn() {
    const [value, setValue] = useState<Value>('day');
    const Control = kind === 'radio' ? Segments : Tabs;
    return <Control label="Every" options={options} tabs={options} value={value} onChange={setValue} />;
  }
  const made = createRoot(document.body.appendChild(document.createElement('div')));
  root = made;
  flushSync(() => made.render(<Drawn />));
}

afterEach(() => {
  root?.unmount();
  document.body.replaceChildren();
  document.dir = 'ltr';
});

const isChosen = { radio: { checked: true }, tab: { selected: true } } as const;

for (const kind of ['radio', 'tab'] as const) {
  const chosen = () => page.getByRole(kind, isChosen[kind]);

  for (const [dir, forward, back] of [
    ['ltr', 'ArrowRight', 'ArrowLeft'],
    ['rtl', 'ArrowLeft', 'ArrowRight'],
  ] as const) {
    test(`${forward} chooses the next ${kind} and ${back} the previous one in ${dir}`, async () => {
      draw(kind, dir);
      (chosen().element() as HTMLElement).focus();
      for (const [key, value] of [
        [forward, 'week'],
        [forward, 'month'],
        [forward, 'day'],
        [back, 'month'],
      ] as const) {
        await press(key);
        await expect.element(chosen()).toHaveTextContent(value);
        await expect.element(chosen()).toHaveFocus();
      }
    });
  }

  test(`an arrow with a modifier is left to the browser and chooses no ${kind}`, async () => {
    draw(kind, 'ltr');
    (chosen().element() as HTMLElement).focus();
    const prevented = vi.fn();
    for (const key of ['Shift+ArrowRight', 'Control+ArrowRight']) {
      addEventListener('keydown', (event) => prevented(event.defaultPrevented), { once: true });
      await press(key);
    }
    expect(prevented).not.toHaveBeenCalledWith(true);
    await expect.element(chosen()).toHaveTextContent('day');
  });

  test(`a ${kind} is chosen by a click, and Tab reaches only the chosen one`, async () => {
    draw(kind, 'ltr');
    await page.getByRole(kind, { name: 'month' }).click();
    await expect.element(chosen()).toHaveTextContent('month');
    expect(document.querySelectorAll(`[role="${kind}"][tabindex="0"]`)).toHaveLength(1);
  });
}

test('only the selected tab’s panel is rendered, and the tab refers to it', async () => {
  draw('tab', 'ltr');
  const panel = () => page.getByRole('tabpanel');
  await expect.element(panel()).toHaveTextContent('every day');
  await page.getByRole('tab', { name: 'week' }).click();
  await expect.element(panel()).toHaveTextContent('every week');
  expect(panel().element().getAttribute('aria-labelledby')).toBe(page.getByRole('tab', { name: 'week' }).element().id);
});
