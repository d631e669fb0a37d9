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
type OptionValue = (typeof options)[number]['value'];

let root: Root | null = null;

function renderChoices(kind: 'radio' | 'tab', dir: 'ltr' | 'rtl') {
  document.dir = dir;
  function TestChoices() {
    const [value, setValue] = useState<OptionValue>('day');
    const Control = kind === 'radio' ? Segments : Tabs;
    return <Control label="Every" options={options} tabs={options} value={value} onChange={setValue} />;
  }
  const testRoot = createRoot(document.body.appendChild(document.createElement('div')));
  root = testRoot;
  flushSync(() => testRoot.render(<TestChoices />));
}

afterEach(() => {
  root?.unmount();
  document.body.replaceChildren();
  document.dir = 'ltr';
});

const selectedStates = { radio: { checked: true }, tab: { selected: true } } as const;

for (const kind of ['radio', 'tab'] as const) {
  const selectedChoice = () => page.getByRole(kind, selectedStates[kind]);

  for (const [dir, forwardKey, backwardKey] of [
    ['ltr', 'ArrowRight', 'ArrowLeft'],
    ['rtl', 'ArrowLeft', 'ArrowRight'],
  ] as const) {
    test(`${forwardKey} chooses the next ${kind} and ${backwardKey} the previous one in ${dir}`, async () => {
      renderChoices(kind, dir);
      (selectedChoice().element() as HTMLElement).focus();
      for (const [key, value] of [
        [forwardKey, 'week'],
        [forwardKey, 'month'],
        [forwardKey, 'day'],
        [backwardKey, 'month'],
      ] as const) {
        await press(key);
        await expect.element(selectedChoice()).toHaveTextContent(value);
        await expect.element(selectedChoice()).toHaveFocus();
      }
    });
  }

  test(`an arrow with a modifier is left to the browser and chooses no ${kind}`, async () => {
    renderChoices(kind, 'ltr');
    (selectedChoice().element() as HTMLElement).focus();
    const onPrevented = vi.fn();
    for (const key of ['Shift+ArrowRight', 'Control+ArrowRight']) {
      addEventListener('keydown', (event) => onPrevented(event.defaultPrevented), { once: true });
      await press(key);
    }
    expect(onPrevented).not.toHaveBeenCalledWith(true);
    await expect.element(selectedChoice()).toHaveTextContent('day');
  });

  test(`a ${kind} is chosen by a click, and Tab reaches only the chosen one`, async () => {
    renderChoices(kind, 'ltr');
    await page.getByRole(kind, { name: 'month' }).click();
    await expect.element(selectedChoice()).toHaveTextContent('month');
    expect(document.querySelectorAll(`[role="${kind}"][tabindex="0"]`)).toHaveLength(1);
  });
}

test('only the selected tab’s panel is rendered, and the tab refers to it', async () => {
  renderChoices('tab', 'ltr');
  const panel = () => page.getByRole('tabpanel');
  await expect.element(panel()).toHaveTextContent('every day');
  await page.getByRole('tab', { name: 'week' }).click();
  await expect.element(panel()).toHaveTextContent('every week');
  expect(panel().element().getAttribute('aria-labelledby')).toBe(page.getByRole('tab', { name: 'week' }).element().id);
});
