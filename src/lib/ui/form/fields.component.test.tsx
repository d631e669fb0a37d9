import { useState } from 'react';
import { flushSync } from 'react-dom';
import { createRoot, type Root } from 'react-dom/client';
import { afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { page } from 'vitest/browser';
import { holdKey, press, typeText } from '../../../testing/keys.ts';
import { loadDictionary } from '../../i18n/boot.ts';
import { t } from '../../i18n/i18n.ts';
import { applyLocale } from '../../i18n/locale.ts';
import { Dialog } from '../overlay/dialog.tsx';
import { Field } from './field.tsx';
import type { FieldView, PickOption } from './field-view.ts';
import '../../../styles.css';

const options: readonly PickOption[] = [
  { value: 'read', label: 'Read', note: 'all lists' },
  { value: 'write', label: 'Write' },
  { value: 'mint', label: 'Mint', blocked: 'You may not grant it' },
  { value: 'wipe', label: 'Wipe', preview: [{ label: 'Effect', text: 'Everything is gone' }] },
];
const label = 'form.required';
const pickView: FieldView = { label, as: 'pick', options: async () => options };
const picksView: FieldView = { label, as: 'picks', options: async () => options, empty: 'form.choose' };
const flagView: FieldView = { label, as: 'flag', says: 'form.optional' };
const choice: FieldView = {
  label,
  as: 'choice',
  options: (['form.now', 'form.hide', 'form.show', 'form.choose', 'form.optional'] as const).map((text) => ({
    value: text,
    label: text,
  })),
};

let root: Root | null = null;
let value: unknown = null;
const onSubmit = vi.fn();
const onClose = vi.fn();
const onKey = vi.fn();

beforeAll(async () => {
  applyLocale(document.documentElement, 'en-US');
  await loadDictionary();
});

beforeEach(() => page.viewport(900, 700));

afterEach(() => {
  root?.unmount();
  document.body.replaceChildren();
  document.dir = 'ltr';
  onSubmit.mockClear();
  onClose.mockClear();
  onKey.mockClear();
});

/** Renders one field in a form in a dialog. */
function renderField(view: FieldView, start: unknown) {
  value = start;
  function TestField() {
    const [fieldValue, setFieldValue] = useState(start);
    const onChange = (nextValue: unknown) => {
      value = nextValue;
      setFieldValue(nextValue);
    };
    const sharedProps = { start, error: 'Wrong', clash: undefined, onSettle: () => {}, upload: undefined, autoFocus: true };
    return (
      <Dialog open onClose={onClose} title="Edit">
        <form
          onKeyDown={({ key, ctrlKey }) => onKey(ctrlKey ? `Control+${key}` : key)}
          onSubmit={(event) => {
            event.preventDefault();
            onSubmit();
          }}
        >
          <Field id="field" view={view} value={fieldValue} values={{}} onChange={onChange} {...sharedProps} />
          <button type="submit">Save</button>
        </form>
      </Dialog>
    );
  }
  const testRoot = createRoot(document.body.appendChild(document.createElement('div')));
  root = testRoot;
  flushSync(() => testRoot.render(<TestField />));
}

const box = () => page.getByRole('combobox', { name: t(label) });
const list = () => page.getByRole('listbox');
const option = (name: string) => page.getByRole('option', { name });
const readActiveOption = () => document.querySelector('[role="option"][data-focus]')?.textContent ?? null;
const focus = async () => {
  await expect.element(box()).toBeVisible();
  (box().element() as HTMLElement).focus();
};

test('a list box has the name, hint and error of its field, and opens by Enter, Space and arrows without sending the form', async () => {
  renderField(pickView, '');
  await focus();
  await expect.element(box()).toHaveAttribute('aria-required', 'true');
  await expect.element(box()).toHaveAttribute('aria-describedby', 'field-error');
  for (const key of ['Enter', ' ', 'ArrowDown']) {
    await press(key);
    await expect.element(list()).toHaveFocus();
    await expect.poll(readActiveOption).toContain('Read');
    await press('Escape');
    await expect.element(box()).toHaveFocus();
    await expect.element(list()).toHaveLength(0);
  }
  expect(onSubmit).not.toHaveBeenCalled();
  expect(onClose).not.toHaveBeenCalled();
});

test('a list box chooses by keyboard and mouse, and never chooses a blocked option', async () => {
  renderField(pickView, '');
  await focus();
  await press('ArrowDown');
  await press('w');
  await expect.poll(readActiveOption).toBe('Write');
  await press('ArrowDown'); // past the blocked one
  await expect.poll(readActiveOption).toBe('Wipe');
  await press('Enter');
  expect(value).toBe('wipe');
  await expect.element(box()).toHaveTextContent('Wipe');
  await box().click();
  await expect.element(option('Wipe')).toHaveAttribute('aria-selected', 'true');
  await option('Mint').click({ force: true });
  expect(value).toBe('wipe');
  await option('Read').click();
  expect(value).toBe('read');
  await expect.element(box()).toHaveTextContent('Read · all lists');
  expect(onSubmit).not.toHaveBeenCalled();
  (box().element() as HTMLElement).click(); // like assistive technology
  await expect.element(option('Read')).toBeVisible();
});

test('a choice of more than four is a list box, and is required too', async () => {
  renderField(choice, 'form.now');
  await focus();
  await expect.element(box()).toHaveTextContent(t('form.now'));
  await press('Enter');
  await press('End');
  await press('Enter');
  expect(value).toBe('form.optional');
});

test('a multi-select toggles options by Enter and click, keeps their order, and never selects a blocked option', async () => {
  renderField(picksView, ['wipe']);
  await expect.element(option('Read')).toBeVisible();
  await focus();
  await expect.element(box()).toHaveAttribute('aria-describedby', 'field-error');
  await expect.poll(readActiveOption).toContain('Read');
  await press('Enter');
  expect(value).toEqual(['read', 'wipe']);
  await press('ArrowDown');
  await press('ArrowDown');
  await expect.poll(readActiveOption).toContain('You may not grant it');
  await press('Enter');
  await option('Mint').click({ force: true });
  expect(value).toEqual(['read', 'wipe']);
  await option('Write').click();
  expect(value).toEqual(['read', 'write', 'wipe']);
  await expect.element(box()).toHaveFocus();
  await press('Home');
  await holdKey('Enter');
  expect(value).toEqual(['write', 'wipe']);
  expect(onSubmit).not.toHaveBeenCalled();
});

test('Space chooses in a multi-select that the arrows lead into, and types a space in its filter text', async () => {
  renderField(picksView, []);
  await expect.element(option('Read')).toBeVisible();
  await focus();
  await press('Space');
  expect(value).toEqual(['read']);
  await press('ArrowDown');
  await expect.poll(readActiveOption).toContain('Write');
  await holdKey('Space');
  expect(value).toEqual(['read', 'write']);
  await typeText('w r');
  await expect.element(box()).toHaveValue('w r');
  expect(value).toEqual(['read', 'write']);
  expect(onSubmit).not.toHaveBeenCalled();
});

test('a reason that blocks several options is said once, above them', async () => {
  const blocked = 'You may not grant it';
  renderField({ ...picksView, options: async () => [...options, { value: 'burn', label: 'Burn', blocked }] }, []);
  await expect.element(option('Burn')).toBeVisible();
  expect(document.querySelector('[role="listbox"]')?.textContent).not.toContain(blocked);
  expect(document.querySelector('[data-reasons]')?.textContent).toBe(t('form.blockedOptions', { reason: blocked }));
  await expect.element(option('Burn')).toHaveAttribute('aria-disabled', 'true');
});

test('a multi-select keeps its filter text on blur, and Select all selects only the filtered options', async () => {
  renderField(picksView, []);
  await expect.element(option('Read')).toBeVisible();
  await focus();
  await typeText('w');
  await expect.element(page.getByRole('option')).toHaveLength(2);
  await press('Tab');
  await expect.element(box()).toHaveValue('w');
  await page.getByRole('button', { name: t('form.picksAll') }).click();
  expect(value).toEqual(['write', 'wipe']);
  await expect.element(box()).toHaveValue('w');
  await page.getByRole('button', { name: t('form.picksNone') }).click();
  expect(value).toEqual([]);
  await focus();
  await typeText('x');
  await expect.element(page.getByText(t('form.picksNothing'))).toBeVisible();
  await press('Enter');
  expect(value).toEqual([]);
  expect(onSubmit).not.toHaveBeenCalled();
});

test('an option’s preview stays visible on blur, so that a press on the button below is not lost', async () => {
  renderField(picksView, []);
  await expect.element(option('Read')).toBeVisible();
  await focus();
  await press('End');
  await expect.element(page.getByText('Everything is gone')).toBeVisible();
  await page.getByRole('button', { name: 'Save' }).click();
  expect(onSubmit).toHaveBeenCalledOnce();
  await expect.element(page.getByText('Everything is gone')).toBeVisible();
});

test('Ctrl+Enter in a multi-select submits the form, and one Escape closes the dialog', async () => {
  renderField(picksView, ['read']);
  await expect.element(option('Read')).toBeVisible();
  await focus();
  await press('Control+Enter');
  expect(value).toEqual(['read']);
  expect(onKey).toHaveBeenCalledWith('Control+Enter');
  await press('Escape');
  await expect.poll(() => onClose.mock.calls).toHaveLength(1);
});

test('a multi-select leaves keys to a composing input method', async () => {
  renderField(picksView, []);
  await expect.element(option('Read')).toBeVisible();
  await focus();
  await expect.poll(readActiveOption).toContain('Read');
  const dispatchComposition = (key: string) =>
    box()
      .element()
      .dispatchEvent(new KeyboardEvent('keydown', { key, keyCode: 229, isComposing: true, bubbles: true, cancelable: true }));
  for (const key of ['ArrowDown', 'End', 'Enter', ' ']) expect(dispatchComposition(key), key).toBe(true); // nothing prevented it
  expect(readActiveOption()).toContain('Read');
  expect(value).toEqual([]);
});

test('a switch toggles by Space, click and label, and Enter neither toggles it nor sends the form', async () => {
  renderField(flagView, false);
  const findSwitch = () => page.getByRole('switch', { name: t(label) });
  await expect.element(findSwitch()).toHaveFocus();
  await expect.element(findSwitch()).not.toBeChecked();
  await press(' ');
  await expect.element(findSwitch()).toBeChecked();
  await press('Enter');
  expect([value, onSubmit.mock.calls]).toEqual([true, []]);
  await findSwitch().click();
  expect(value).toBe(false);
  await page.getByText(t(label), { exact: true }).click();
  expect(value).toBe(true);
});

test('the calendar opens below its field, follows the writing direction, and Escape closes only the calendar', async () => {
  document.dir = 'rtl';
  renderField({ label, as: 'time' }, '2026-05-12T03:00:00.000Z');
  const findOpener = () => page.getByRole('button', { name: t('form.pickTime') });
  const day = (name: string) => page.getByRole('dialog').getByRole('button', { name });
  for (let attempt = 0; attempt < 2; attempt++) {
    await findOpener().click();
    await expect.element(day('2026-05-12')).toHaveFocus();
    await press('ArrowLeft');
    await expect.element(day('2026-05-13')).toHaveFocus();
    await press('Escape');
    await expect.element(findOpener()).toHaveFocus();
  }
  await press('Enter');
  await press('ArrowRight');
  await press('Enter');
  await expect.element(page.getByPlaceholder('YYYY-MM-DD')).toHaveValue(expect.stringContaining('2026-05-11'));
  await expect.element(page.getByRole('textbox', { name: t('form.timeOfDay') })).toHaveFocus();
  await press('Enter');
  await expect.element(findOpener()).toHaveFocus();
  expect([onClose.mock.calls, onSubmit.mock.calls]).toEqual([[], []]);
});

test('pasting rows keeps the focus in the file field, so that keys go on reaching the form', async () => {
  renderField({ label, as: 'file', says: 'form.optional', accept: '.csv' }, undefined);
  const line = page.getByRole('textbox', { name: t('form.filePaste') });
  await expect.element(line).toBeVisible();
  (line.element() as HTMLElement).focus();
  const clipboardData = new DataTransfer();
  clipboardData.setData('text/plain', 'a\t1\nb\t2\n');
  line.element().dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }));
  await expect.element(page.getByText(t('form.filePasted', { count: 2 }))).toBeVisible();
  await expect.poll(() => document.activeElement?.id).toBe('field');
  await press('Control+Enter');
  expect(onKey).toHaveBeenLastCalledWith('Control+Enter');
});

test.each(['pick', 'picks'] as const)(
  'a long note is below the label of an option in %s, which takes its whole width',
  async (as) => {
    const address = `0x${'9'.repeat(40)}`;
    const hash = 'b'.repeat(64);
    const longOptions = async () => [
      { value: 'long', label: `Beta · 0.99999999 BTC · ${address}`, note: `${hash}:0` },
      { value: 'short', label: 'Alpha', note: 'all lists' },
    ];
    renderField({ ...(as === 'pick' ? pickView : picksView), options: longOptions }, as === 'pick' ? '' : []);
    await focus();
    await press('ArrowDown');
    const readLineCount = (name: string) =>
      Math.round((option(name).element().querySelector('.break-words')?.getBoundingClientRect().height ?? 0) / 20);
    await expect.element(option('Beta')).toBeVisible();
    expect(readLineCount('Beta')).toBe(1);
    const noteTop = page.getByText(`${hash}:0`).element().getBoundingClientRect().top;
    expect(noteTop).toBeGreaterThan(page.getByText(address).element().getBoundingClientRect().bottom - 4);
    const shortBox = page.getByText('Alpha').element().getBoundingClientRect();
    expect(Math.abs(page.getByText('all lists').element().getBoundingClientRect().bottom - shortBox.bottom)).toBeLessThan(6);
  },
);
