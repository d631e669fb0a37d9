import type { Locator, Page } from 'playwright';
import type { CommandId } from '../../api/names.ts';

/** One pair of hands: everything they do is counted. Waiting for what a person would see is not. */
export class Hands {
  readonly page: Page;
  presses = 0;
  letters = 0;
  clicks = 0;
  points = 0;
  /** Times a hand went from the keyboard to the mouse or back. */
  moves = 0;
  #at: 'keyboard' | 'mouse';
  constructor(page: Page, at: 'keyboard' | 'mouse') {
    this.page = page;
    this.#at = at;
  }
  async press(...keys: string[]): Promise<void> {
    for (const key of keys) {
      this.#go('keyboard');
      this.presses += key.split('+').length;
      await this.page.keyboard.press(key);
    }
  }
  async type(text: string): Promise<void> {
    this.#go('keyboard');
    this.letters += text.length;
    await this.page.keyboard.type(text);
  }
  async click(what: Locator): Promise<void> {
    this.#go('mouse');
    this.clicks++;
    this.points++;
    await what.click();
  }
  /** One of a list that the browser itself shows: a click to open it, another on what is meant. */
  async choose(list: Locator, index: number): Promise<void> {
    this.#go('mouse');
    this.clicks += 2;
    this.points += 2;
    await list.selectOption({ index });
  }
  #go(to: 'keyboard' | 'mouse'): void {
    if (this.#at !== to) this.moves++;
    this.#at = to;
  }
  /**
   * Seconds by the Keystroke-Level Model (Card, Moran and Newell 1980) without thinking, which both ways need alike:
   * 0.28 a key, 1.1 to point, 0.2 to click, 0.4 for a hand to change places.
   */
  get seconds(): number {
    return (this.presses + this.letters) * 0.28 + this.points * 1.1 + this.clicks * 0.2 + this.moves * 0.4;
  }
}

export interface Job {
  what: string;
  /** Needs the demo's chain, and the wallet that signs on it. */
  onChain?: true;
  keyboard: (hands: Hands) => Promise<void>;
  mouse: (hands: Hands) => Promise<void>;
}

export const rows = (page: Page) =>
  page
    .getByRole('grid')
    .locator('[role="row"]')
    .filter({ has: page.locator('[data-column]') });
export const form = (page: Page) => page.locator('[role="dialog"]:visible').last();
export const ask = (page: Page) => page.getByRole('alertdialog');
export const row = (page: Page, text: string) => rows(page).filter({ hasText: text }).first();
export const button = (page: Page, id: CommandId) => page.locator(`[data-command="${id}"]:visible`).last();

export async function goTo(hands: Hands, letter: string): Promise<void> {
  await hands.press('g', letter);
  await rows(hands.page).first().waitFor();
}
export async function openByMenu(hands: Hands, path: string): Promise<void> {
  await hands.click(hands.page.getByRole('navigation').locator(`a[href="${path}"]`));
  await rows(hands.page).first().waitFor();
}
/** Yes to a question: where it can be taken back Enter is enough, else the focus is on Cancel. */
export async function confirmByKey(hands: Hands): Promise<void> {
  await ask(hands.page).waitFor();
  await ask(hands.page).locator('[aria-disabled="true"]').waitFor({ state: 'detached' }); // until all of what goes with it stands there
  const isOnCancel = await ask(hands.page)
    .getByRole('button', { name: '取消' })
    .evaluate((cancel) => cancel === document.activeElement);
  await hands.press(...(isOnCancel ? ['Tab'] : []), 'Enter');
  await ask(hands.page).waitFor({ state: 'detached' });
}
export async function confirmByMouse(hands: Hands): Promise<void> {
  await hands.click(ask(hands.page).getByRole('button').last());
  await ask(hands.page).waitFor({ state: 'detached' });
}
/** Narrows the list by keys: what is typed into the filter's menu, taken once it is what is `meant`. */
export async function filterByKey(hands: Hands, field: string, typed: string, meant: string): Promise<void> {
  await hands.press('f', ...typed);
  await hands.page.locator('[role="option"]:visible').first().filter({ hasText: meant }).waitFor();
  await hands.press('Enter');
  await hands.page.locator(`[data-filter="${field}"]`).waitFor();
}
export const submit = (hands: Hands, name: string) =>
  hands.click(
    form(hands.page)
      .getByRole('button', { name: new RegExp(name) })
      .last(),
  );

/** Tabs through a form and types what is to be typed, field by field. */
export async function fillByKey(hands: Hands, fields: Readonly<Record<string, string>>): Promise<void> {
  for (const [label, text] of Object.entries(fields)) {
    const field = form(hands.page).getByRole('textbox', { name: label });
    await field.waitFor();
    while (!(await field.evaluate((input) => input === document.activeElement))) await hands.press('Tab');
    await hands.type(text);
  }
  await hands.press('Control+Enter');
}
export async function fillByMouse(hands: Hands, fields: Readonly<Record<string, string>>): Promise<void> {
  for (const [label, text] of Object.entries(fields)) {
    await hands.click(form(hands.page).getByRole('textbox', { name: label }));
    await hands.type(text);
  }
}
export async function search(hands: Hands, text: string, way: 'keyboard' | 'mouse'): Promise<void> {
  if (way === 'keyboard') await hands.press('/');
  else await hands.click(hands.page.getByRole('search').getByRole('textbox').first());
  await hands.type(text);
  await hands.press('Enter');
  await row(hands.page, text).waitFor();
}
