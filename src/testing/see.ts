import { expect } from 'vitest';
import type { Locator } from 'vitest/browser';

/** What stands in each of the elements, one after another. */
export const textsOf = (locator: Locator): string[] => locator.elements().map(({ textContent }) => (textContent ?? '').trim());

/** Waits until nothing of it is to be seen, there or not. */
export const expectHidden = (locator: Locator): Promise<void> =>
  expect.poll(() => locator.elements().some((element) => element.checkVisibility())).toBe(false);

/** Waits until the address is this path, whatever is asked of it. */
export const expectPath = (path: string): Promise<void> => expect.poll(() => location.pathname).toBe(path);

/** What an attribute says of the element, which is there. */
export const attributeOf = (locator: Locator, name: string): string => locator.element().getAttribute(name) ?? '';
