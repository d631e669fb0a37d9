/** A browser that Playwright does not drive, as far as a trip through the panel needs it. */
export interface OtherBrowser {
  /** Name and version, as it says them itself. */
  readonly version: string;
  /** Where it saves what is downloaded. */
  readonly downloads: string;
  open(url: string): Promise<void>;
  /** One press, named as Playwright names it: 'Control+k', 'Enter', 'c'. */
  press(keys: string): Promise<void>;
  type(text: string): Promise<void>;
  /** Puts a file into the one field for files that there is. */
  choose(file: string): Promise<void>;
  /** What an expression comes to in the page, as JSON has it. */
  read<T>(expression: string): Promise<T>;
  close(): Promise<void>;
}

const waitMs = 20_000;

/** Waits until something is so; says what never was. */
export async function until(what: string, isSo: () => Promise<boolean>): Promise<void> {
  const end = Date.now() + waitMs;
  while (!(await isSo())) {
    if (Date.now() > end) throw new Error(`not so: ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}

/** Waits until an expression is true in the page; says which one never was, and what the page shows instead. */
export async function see(browser: OtherBrowser, expression: string): Promise<void> {
  try {
    // While a page goes and the next one comes there is none that answers.
    await until(expression, () => browser.read<boolean>(`Boolean(${expression})`).catch(() => false));
  } catch (error) {
    const shown = await browser.read<string>('location.href + " " + document.body.innerText.slice(-800)');
    throw new Error(`${browser.version} shows ${shown}`, { cause: error });
  }
}
