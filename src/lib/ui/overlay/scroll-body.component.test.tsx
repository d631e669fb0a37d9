import { flushSync } from 'react-dom';
import { createRoot, type Root } from 'react-dom/client';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { page, commands } from 'vitest/browser';
import { press } from '../../../testing/keys.ts';
import { loadDictionary } from '../../i18n/boot.ts';
import { applyLocale } from '../../i18n/locale.ts';
import { ConfirmDialog } from './confirm-dialog.tsx';
import '../../../styles.css';

let root: Root | null = null;
const onConfirm = vi.fn();

function renderReview(lines: number) {
  const testRoot = root ?? createRoot(document.body.appendChild(document.createElement('div')));
  root = testRoot;
  const review = (
    <ConfirmDialog open danger title="Withdraw" confirmLabel="Withdraw 1 BTC" onConfirm={onConfirm} onCancel={() => {}}>
      {Array.from({ length: lines }, (_, index) => (
        <p key={index}>Line {index + 1}</p>
      ))}
    </ConfirmDialog>
  );
  flushSync(() => testRoot.render(review));
}

const mark = () => page.getByRole('button', { name: '下方还有内容' });
const lastLine = () => page.getByText(/^Line 200$/);
const cancelButton = () => page.getByRole('button', { name: '取消' });
const rectOf = (locator: { element: () => Element }) => locator.element().getBoundingClientRect();
const scrolled = () => mark().element().previousElementSibling?.scrollTop;

beforeEach(async () => {
  applyLocale(document.documentElement, 'zh-CN');
  await loadDictionary();
});

afterEach(() => {
  root?.unmount();
  root = null;
  document.body.replaceChildren();
});

test('a review longer than its dialog says above the red button that more follows, until its end is on screen', async () => {
  renderReview(200);
  await expect.element(cancelButton()).toHaveFocus();
  await expect.element(mark()).toBeVisible();
  expect(rectOf(lastLine()).bottom).toBeGreaterThan(rectOf(mark()).top);
  expect(rectOf(mark()).bottom).toBeLessThanOrEqual(rectOf(cancelButton()).top);
  await press('PageDown');
  await expect.poll(scrolled).toBeGreaterThan(0);
  await expect.element(mark()).toBeVisible();
  for (let presses = 0; presses < 30; presses++) await press('PageDown');
  await expect.element(mark()).toHaveLength(0);
  await expect.element(lastLine()).toBeInViewport({ ratio: 1 });
  await expect.element(cancelButton()).toHaveFocus();
  await press('PageUp');
  await expect.element(mark()).toBeVisible();
  expect(onConfirm).not.toHaveBeenCalled();
});

test('the mark of a long review scrolls on a click and leaves the focus on Cancel', async () => {
  renderReview(200);
  await expect.element(cancelButton()).toHaveFocus();
  await mark().click();
  await expect.poll(scrolled).toBeGreaterThan(0);
  await expect.element(cancelButton()).toHaveFocus();
});

test('the mark of a long review has an edge in forced colors', async () => {
  renderReview(200);
  await expect.element(mark()).toBeVisible();
  await commands.emulateMedia({ forcedColors: 'active' });
  try {
    const { borderTopWidth, borderTopColor, backgroundColor } = getComputedStyle(mark().element());
    expect(borderTopWidth).toBe('1px');
    expect(borderTopColor).not.toBe(backgroundColor);
  } finally {
    await commands.emulateMedia({ forcedColors: null });
  }
});

test('a review gets the mark only while it is too long', async () => {
  renderReview(2);
  await expect.element(cancelButton()).toHaveFocus();
  await expect.element(mark()).toHaveLength(0);
  renderReview(200);
  await expect.element(mark()).toBeVisible();
  renderReview(2);
  await expect.element(mark()).toHaveLength(0);
});
