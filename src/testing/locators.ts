import { expect } from 'vitest';
import type { Locator } from 'vitest/browser';

export const textContents = (locator: Locator): string[] =>
  locator.elements().map(({ textContent }) => (textContent ?? '').trim());

export const expectHidden = (locator: Locator): Promise<void> =>
  expect.poll(() => locator.elements().some((element) => element.checkVisibility())).toBe(false);

export const expectPath = (path: string): Promise<void> => expect.poll(() => location.pathname).toBe(path);

export const getAttribute = (locator: Locator, name: string): string => locator.element().getAttribute(name) ?? '';
