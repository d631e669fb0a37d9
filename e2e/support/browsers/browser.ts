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

export async function pollUntil(description: string, condition: () => Promise<boolean>): Promise<void> {
  const deadline = Date.now() + waitMs;
  while (!(await condition())) {
    if (Date.now() > deadline) throw new Error(`not so: ${description}`);
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}

/** Throws with the page's text. */
export async function waitForExpression(browser: OtherBrowser, expression: string): Promise<void> {
  try {
    await pollUntil(expression, () => browser.read<boolean>(`Boolean(${expression})`).catch(() => false));
  } catch (error) {
    const pageText = await browser.read<string>('location.href + " " + document.body.innerText.slice(-800)');
    throw new Error(`${browser.version} shows ${pageText}`, { cause: error });
  }
}
