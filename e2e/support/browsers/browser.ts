export interface OtherBrowser {
  readonly version: string;
  readonly downloads: string;
  open(url: string): Promise<void>;
  /** Playwright's names: 'Control+k', 'Enter', 'c'. */
  press(keys: string): Promise<void>;
  type(text: string): Promise<void>;
  choose(file: string): Promise<void>;
  /** As JSON. */
  read<T>(expression: string): Promise<T>;
  close(): Promise<void>;
}

const waitMs = 20_000;

export async function pollUntil(what: string, isSo: () => Promise<boolean>): Promise<void> {
  const end = Date.now() + waitMs;
  while (!(await isSo())) {
    if (Date.now() > end) throw new Error(`not so: ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}

/** Throws with the page's text. */
export async function waitForExpression(browser: OtherBrowser, expression: string): Promise<void> {
  try {
    await pollUntil(expression, () => browser.read<boolean>(`Boolean(${expression})`).catch(() => false));
  } catch (error) {
    const shown = await browser.read<string>('location.href + " " + document.body.innerText.slice(-800)');
    throw new Error(`${browser.version} shows ${shown}`, { cause: error });
  }
}
