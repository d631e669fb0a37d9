import type { Page } from 'playwright';

/** What must be seen before a key counts as answered. */
interface Wanted {
  selector: string;
  /** Of an input. */
  value?: string;
  /** What its rows begin with. */
  rows?: string;
  /** An attribute that must have changed. */
  not?: { name: string; value: string };
}

/** What people type, letter by letter. */
export const words = ['delete news', 'go to', 'theme'];

/** Opens the palette and closes it again; milliseconds from the key to the frame with its rows. */
export async function openOnce(page: Page): Promise<number> {
  const painted = await whenPainted(page, 'k', { selector: '[data-palette] [role="option"]' });
  await page.keyboard.press('Control+k');
  const time = await painted();
  await closePalette(page);
  return time;
}

export async function closePalette(page: Page): Promise<void> {
  await page.keyboard.press('Control+k');
  await page.waitForFunction(() => !document.querySelector('[data-palette] [role="option"]'));
}

const press = (page: Page, key: string) => page.keyboard.press(key === ' ' ? 'Space' : key);

/** The first rows for each beginning of a word, once nothing comes any more: what each key must show. */
export async function settledRows(page: Page): Promise<ReadonlyMap<string, string>> {
  const settled = new Map<string, string>();
  await page.keyboard.press('Control+k');
  await page.locator('[data-palette-input]').waitFor();
  for (const word of words) {
    for (let length = 1; length <= word.length; length++) {
      await press(page, word.charAt(length - 1));
      await page.waitForTimeout(250);
      settled.set(word.slice(0, length), await page.evaluate(firstRows));
    }
    await page.locator('[data-palette-input]').fill('');
  }
  await closePalette(page);
  return settled;
}

const firstRows = () =>
  [...document.querySelectorAll('[data-palette] [role="option"]')]
    .slice(0, 2)
    .map((row) => row.textContent)
    .join('|');

/** Types each word and takes it back; milliseconds from each key to the frame with its rows. */
export async function typeAll(page: Page, settled: ReadonlyMap<string, string>): Promise<number[]> {
  const times: number[] = [];
  await page.keyboard.press('Control+k');
  await page.locator('[data-palette-input]').waitFor();
  for (const word of words) {
    for (let length = 1; length <= word.length; length++) {
      const [key, value] = [word.charAt(length - 1), word.slice(0, length)];
      const rows = settled.get(value) ?? '';
      const painted = await whenPainted(page, key, { selector: '[data-palette-input]', value, rows });
      await press(page, key);
      times.push(await painted());
    }
    await page.locator('[data-palette-input]').fill('');
  }
  await closePalette(page);
  return times;
}

/** Types a word as people do, a key in 150 ms, and waits until nothing comes any more. */
export async function typeAtPace(page: Page, word: string): Promise<void> {
  for (const key of word) {
    await press(page, key);
    await page.waitForTimeout(150);
  }
  await page.waitForTimeout(400);
}

/** Starts a watch that the next press of `key` begins; answers how to wait for its milliseconds. */
export async function whenPainted(page: Page, key: string | null, wanted: Wanted): Promise<() => Promise<number>> {
  await page.evaluate(
    ([pressed, { selector, value, rows, not }]) => {
      const isThere = () => {
        const found = document.querySelector(selector);
        if (!found) return false;
        if (value !== undefined) {
          const options = [...document.querySelectorAll('[data-palette] [role="option"]')].slice(0, 2);
          return (
            found instanceof HTMLInputElement && found.value === value && options.map((row) => row.textContent).join('|') === rows
          );
        }
        return not === undefined || found.getAttribute(not.name) !== not.value;
      };
      const kind = pressed === null ? 'click' : 'keydown';
      Object.assign(window, {
        painted: new Promise<number>((resolve) => {
          const onKey = (event: Event) => {
            if (event instanceof KeyboardEvent && event.key !== pressed) return;
            removeEventListener(kind, onKey, true);
            const look = () =>
              requestAnimationFrame(() => {
                if (!isThere()) return look();
                const { port1, port2 } = new MessageChannel(); // runs after the frame is painted
                port1.onmessage = () => resolve(performance.now() - event.timeStamp);
                port2.postMessage(null);
              });
            look();
          };
          addEventListener(kind, onKey, true);
        }),
      });
    },
    [key, wanted] as const,
  );
  return () => page.evaluate(() => (window as unknown as { painted: Promise<number> }).painted);
}
