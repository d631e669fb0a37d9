import type { Page } from 'playwright';

interface Expected {
  selector: string;
  value?: string;
  rows?: string;
  changed?: { name: string; from: string };
}

const words = ['delete news', 'go to', 'theme'];
export const keysPerRound = words.join('').length;

/** Milliseconds from the key to the painted rows. */
export async function openOnce(page: Page): Promise<number> {
  const painted = await whenPainted(page, 'k', { selector: '[data-palette] [role="option"]' });
  await page.keyboard.press('Control+k');
  const time = await painted();
  await closePalette(page);
  return time;
}

async function closePalette(page: Page): Promise<void> {
  await page.keyboard.press('Control+k');
  await page.waitForFunction(() => !document.querySelector('[data-palette] [role="option"]'));
}

async function typeWords(page: Page, press: (key: string, value: string) => Promise<void>): Promise<void> {
  await page.keyboard.press('Control+k');
  await page.locator('[data-palette-input]').waitFor();
  for (const word of words) {
    for (let length = 1; length <= word.length; length++) {
      const key = word.charAt(length - 1);
      await press(key === ' ' ? 'Space' : key, word.slice(0, length));
    }
    await page.locator('[data-palette-input]').fill('');
  }
  await closePalette(page);
}

/** What each key must show, once the palette has settled. */
export async function settledRows(page: Page): Promise<ReadonlyMap<string, string>> {
  const settled = new Map<string, string>();
  await typeWords(page, async (key, value) => {
    await page.keyboard.press(key);
    await page.waitForTimeout(250);
    const rows = await page.locator('[data-palette] [role="option"]').allTextContents();
    settled.set(value, rows.slice(0, 2).join('|'));
  });
  return settled;
}

/** Milliseconds from each key to the painted rows. */
export async function timeKeys(page: Page, settled: ReadonlyMap<string, string>): Promise<number[]> {
  const times: number[] = [];
  await typeWords(page, async (key, value) => {
    const rows = settled.get(value) ?? '';
    const painted = await whenPainted(page, value.slice(-1), { selector: '[data-palette-input]', value, rows });
    await page.keyboard.press(key);
    times.push(await painted());
  });
  return times;
}

/** Waits for the next press of `key` (null: the next click). Returns a function that waits for its milliseconds. */
export async function whenPainted(page: Page, key: string | null, expected: Expected): Promise<() => Promise<number>> {
  await page.evaluate(
    ([pressed, { selector, value, rows, changed }]) => {
      const isShown = () => {
        const found = document.querySelector(selector);
        if (!found) return false;
        if (value !== undefined) {
          const options = [...document.querySelectorAll('[data-palette] [role="option"]')].slice(0, 2);
          const text = options.map((row) => row.textContent).join('|');
          return found instanceof HTMLInputElement && found.value === value && text === rows;
        }
        return changed === undefined || found.getAttribute(changed.name) !== changed.from;
      };
      const kind = pressed === null ? 'click' : 'keydown';
      Object.assign(window, {
        painted: new Promise<number>((resolve) => {
          const onInput = (event: Event) => {
            if (event instanceof KeyboardEvent && event.key !== pressed) return;
            removeEventListener(kind, onInput, true);
            const look = () =>
              requestAnimationFrame(() => {
                if (!isShown()) return look();
                const { port1, port2 } = new MessageChannel(); // its message arrives after the paint
                port1.onmessage = () => resolve(performance.now() - event.timeStamp);
                port2.postMessage(null);
              });
            look();
          };
          addEventListener(kind, onInput, true);
        }),
      });
    },
    [key, expected] as const,
  );
  return () => page.evaluate(() => (window as unknown as { painted: Promise<number> }).painted);
}
