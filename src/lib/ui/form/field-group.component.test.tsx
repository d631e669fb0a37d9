import { flushSync } from 'react-dom';
import { createRoot, type Root } from 'react-dom/client';
import { afterEach, beforeAll, expect, test, vi } from 'vitest';
import { page } from 'vitest/browser';
import { loadDictionary, loadResourceWords } from '../../i18n/boot.ts';
import { t } from '../../i18n/i18n.ts';
import type { FieldViews, FormValues } from './field-view.ts';
import { Form } from './form.tsx';
import { useForm } from './use-form.ts';
import '../../../styles.css';

const group = 'newsTexts.translation';
const fields: FieldViews = {
  title: { as: 'text', label: 'news.field.title' },
  translatedTitle: { as: 'text', label: 'newsTexts.field.translatedTitle', optional: true, group },
  language: {
    as: 'choice',
    label: 'newsTexts.field.language',
    options: [{ value: 'zh-CN', label: 'newsTexts.language.zh-CN' }],
    optional: true,
    group,
  },
  translatedLink: { as: 'url', label: 'newsTexts.field.translatedLink', optional: true, group },
};
const onSubmit = vi.fn();

let root: Root | null = null;
beforeAll(async () => {
  await Promise.all([loadDictionary(), loadResourceWords()]);
});
afterEach(() => {
  root?.unmount();
  root = null;
  document.body.replaceChildren();
});

function Tested({ initial }: { initial: FormValues }) {
  const check = ({ translatedLink }: FormValues) =>
    translatedLink === 'bad' ? [{ path: 'translatedLink', rule: 'url' as const }] : [];
  return <Form form={useForm({ fields, initial, draftKey: null, check, onSubmit })} id="tested" />;
}

function show(initial: FormValues) {
  const place = document.body.appendChild(document.createElement('div'));
  root = createRoot(place);
  flushSync(() => root?.render(<Tested initial={initial} />));
}

const toggle = () => page.getByRole('button', { name: t(group) });
const translated = () => page.getByLabelText(t('newsTexts.field.translatedTitle'));

test('a group without values is closed until someone opens it', async () => {
  show({ title: 'One' });
  await expect.element(toggle()).toHaveAttribute('aria-expanded', 'false');
  expect(translated().query()).toBeNull();
  await toggle().click();
  await translated().fill('Two');
  await toggle().click();
  expect(translated().query()).toBeNull();
  await toggle().click();
  await expect.element(translated()).toHaveValue('Two');
});

test('a group with a value is open', async () => {
  show({ title: 'One', translatedTitle: 'Two' });
  await expect.element(translated()).toHaveValue('Two');
});

test('a group with a chosen value is open', async () => {
  show({ title: 'One', language: 'zh-CN' });
  await expect.element(toggle()).toHaveAttribute('aria-expanded', 'true');
});

test('a closed group opens for a wrong value, which gets the focus', async () => {
  show({ title: 'One', translatedLink: 'bad' });
  await toggle().click();
  expect(translated().query()).toBeNull();
  flushSync(() => document.querySelector('form')?.requestSubmit());
  await expect.element(page.getByLabelText(t('newsTexts.field.translatedLink'))).toHaveFocus();
  expect(onSubmit).not.toHaveBeenCalled();
});

test('a group that opened for a wrong value stays open while a person corrects the value', async () => {
  show({ title: 'One', translatedLink: 'bad' });
  await toggle().click();
  flushSync(() => document.querySelector('form')?.requestSubmit());
  const link = page.getByLabelText(t('newsTexts.field.translatedLink'));
  await link.fill('https://a.example/en');
  await expect.element(link).toHaveFocus();
  await expect.element(toggle()).toHaveAttribute('aria-expanded', 'true');
});
