import type { Page } from 'playwright';

interface ExpectedPaint {
  selector: string;
  value?: string;
  rows?: string;
  changed?: { name: string; from: string };
}

const typedWords = ['delete news', 'go to', 'theme'];
export const keysPerRound = typedWords.join('').length;

/** Milliseconds from the key to the painted rows. */
export async function measurePaletteOpening(page: Page): Promise<number> {
  const waitForPaint = await startPaintTimer(page, 'k', { selector: '[data-palette] [role="option"]' });
  await page.keyboard.press('Control+k');
  const paintMs = await waitForPaint();
  await closePalette(page);
  return paintMs;
}

async function closePalette(page: Page): Promise<void> {
  await page.keyboard.press('Control+k');
  await page.waitForFunction(() => !document.querySelector('[data-palette] [role="option"]'));
}

async function typeSearchWords(page: Page, press: (key: string, value: string) => Promise<void>): Promise<void> {
  await page.keyboard.press('Control+k');
  await page.locator('[data-palette-input]').waitFor();
  for (const searchWord of typedWords) {
    for (let length = 1; length <= searchWord.length; length++) {
      const key = searchWord.charAt(length - 1);
      await press(key === ' ' ? 'Space' : key, searchWord.slice(0, length));
    }
    await page.locator('[data-palette-input]').fill('');
  }
  await closePalette(page);
}

/** What each key must show, once the palette has settled. */
export async function readSettledRows(page: Page): Promise<ReadonlyMap<string, string>> {
  const rowsByInput = new Map<string, string>();
  await typeSearchWords(page, async (key, value) => {
    await page.keyboard.press(key);
    await page.waitForTimeout(250);
    const rows = await page.locator('[data-palette] [role="option"]').allTextContents();
    rowsByInput.set(value, rows.slice(0, 2).join('|'));
  });
  return rowsByInput;
}

/** Milliseconds from each key to the painted rows. */
export async function measureKeyTimes(page: Page, rowsByInput: ReadonlyMap<string, string>): Promise<number[]> {
  const times: number[] = [];
  await typeSearchWords(page, async (key, value) => {
    const rows = rowsByInput.get(value) ?? '';
    const waitForPaint = await startPaintTimer(page, value.slice(-1), { selector: '[data-palette-input]', value, rows });
    await page.keyboard.press(key);
    times.push(await waitForPaint());
  });
  return times;
}

/** Waits for the next press of `key` (null: the next click). Returns a function that waits for its milliseconds. */
export async function startPaintTimer(page: Page, key: string | null, expected: ExpectedPaint): Promise<() => Promise<number>> {
  await page.evaluate(
    ([pressedKey, { selector, value, rows, changed: changedAttribute }]) => {
      const isExpectedPaint = () => {
        const element = document.querySelector(selector);
        if (!element) return false;
        if (value !== undefined) {
          const options = [...document.querySelectorAll('[data-palette] [role="option"]')].slice(0, 2);
          const text = options.map((row) => row.textContent).join('|');
          return element instanceof HTMLInputElement && element.value === value && text === rows;
        }
        return changedAttribute === undefined || element.getAttribute(changedAttribute.name) !== changedAttribute.from;
      };
      const kind = pressedKey === null ? 'click' : 'keydown';
      Object.assign(window, {
        painted: new Promise<number>((resolve) => {
          const handleInput = (event: Event) => {
            if (event instanceof KeyboardEvent && event.key !== pressedKey) return;
            removeEventListener(kind, handleInput, true);
            const checkNextFrame = () =>
              requestAnimationFrame(() => {
                if (!isExpectedPaint()) return checkNextFrame();
                const { port1, port2 } = new MessageChannel(); // its message arrives after the paint
                port1.onmessage = () => resolve(performance.now() - event.timeStamp);
                port2.postMessage(null);
              });
            checkNextFrame();
          };
          addEventListener(kind, handleInput, true);
        }),
      });
    },
    [key, expected] as const,
  );
  return () => page.evaluate(() => (window as unknown as { painted: Promise<number> }).painted);
}
