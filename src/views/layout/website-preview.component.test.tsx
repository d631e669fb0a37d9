import { flushSync } from 'react-dom';
import { createRoot } from 'react-dom/client';
import { afterEach, expect, test } from 'vitest';
import { page } from 'vitest/browser';
import { build } from '../../../testing/factories/build.ts';
import { WebsitePreview } from './website-preview.tsx';
import '../../styles.css';

afterEach(() => page.viewport(1280, 800));

test.each([
  [375, undefined, 'mobile'],
  [1280, undefined, 'desktop'],
  [375, 'desktop', 'desktop'],
] as const)('at %i px with the start %s, a preview of the website opens as %s', async (viewport, startWidth, expected) => {
  await page.viewport(viewport, 800);
  const root = createRoot(document.body.appendChild(document.createElement('div')));
  flushSync(() =>
    root.render(
      <WebsitePreview row={build.notice({})} startWidth={startWidth} onClose={() => {}} links={[]}>
        {() => null}
      </WebsitePreview>,
    ),
  );
  await expect.element(page.getByRole('dialog')).toBeVisible();
  expect(document.querySelector('[data-preview]')?.getAttribute('data-preview')).toBe(expected);
  root.unmount();
});
