import { flushSync } from 'react-dom';
import { createRoot, type Root } from 'react-dom/client';
import { afterEach, beforeAll, expect, test, vi } from 'vitest';
import { page } from 'vitest/browser';
import { loadDictionary, loadResourceTexts } from '../../i18n/boot.ts';
import { t } from '../../i18n/i18n.ts';
import type { FieldViews, FormValues } from './field-view.ts';
import { Form } from './form.tsx';
import { useForm } from './use-form.ts';
import '../../../styles.css';

const group = 'newsTranslations.translation';
const fields: FieldViews = {
  title: { as: 'text', label: 'news.field.title' },
  translatedTitle: { as: 'text', label: 'newsTranslations.field.translatedTitle', optional: true, group },
  language: {
    as: 'choice',
    label: 'newsTranslations.field.language',
    options: [{ value: 'zh-CN', label: 'newsTranslations.language.zh-CN' }],
    optional: true,
    group,
  },
  translatedLink: { as: 'url', label: 'newsTranslations.field.translatedLink', optional: true, group },
};
const onSubmit = vi.fn();

let root: Root | null = null;
beforeAll(async () => {
  await Promise.all([loadDictionary(), loadResourceTexts()]);
});
afterEach(() => {
  root?.unmount();
  root = null;
  document.body.replaceChildren();
});

function TestForm({ initial }: { initial: FormValues }) {
  const validateLink = ({ translatedLink }: FormValues) =>
    translatedLink === 'bad' ? [{ path: 'translatedLink', rule: 'url' as const }] : [];
  return <Form form={useForm({ fields, initial, draftKey: null, check: validateLink, onSubmit })} id="tested" />;
}

function renderForm(initial: FormValues) {
  const container = document.body.appendChild(document.createElement('div'));
  root = createRoot(container);
  flushSync(() => root?.render(<TestForm initial={initial} />));
}

const findToggle = () => page.getByRole('button', { name: t(group) });
const translatedTitleInput = () => page.getByLabelText(t('newsTranslations.field.translatedTitle'));

test('a group without values is closed until someone opens it', async () => {
  renderForm({ title: 'One' });
  await expect.element(findToggle()).toHaveAttribute('aria-expanded', 'false');
  expect(translatedTitleInput().query()).toBeNull();
  await findToggle().click();
  await translatedTitleInput().fill('Two');
  await findToggle().click();
  expect(translatedTitleInput().query()).toBeNull();
  await findToggle().click();
  await expect.element(translatedTitleInput()).toHaveValue('Two');
});

test('a group with a value is open', async () => {
  renderForm({ title: 'One', translatedTitle: 'Two' });
  await expect.element(translatedTitleInput()).toHaveValue('Two');
});

test('a group with a chosen value is open', async () => {
  renderForm({ title: 'One', language: 'zh-CN' });
  await expect.element(findToggle()).toHaveAttribute('aria-expanded', 'true');
});

test('a closed group opens for a wrong value, which gets the focus', async () => {
  renderForm({ title: 'One', translatedLink: 'bad' });
  await findToggle().click();
  expect(translatedTitleInput().query()).toBeNull();
  flushSync(() => document.querySelector('form')?.requestSubmit());
  await expect.element(page.getByLabelText(t('newsTranslations.field.translatedLink'))).toHaveFocus();
  expect(onSubmit).not.toHaveBeenCalled();
});

test('a group that opened for a wrong value stays open while a person corrects the value', async () => {
  renderForm({ title: 'One', translatedLink: 'bad' });
  await findToggle().click();
  flushSync(() => document.querySelector('form')?.requestSubmit());
  const link = page.getByLabelText(t('newsTranslations.field.translatedLink'));
  await link.fill('https://a.example/en');
  await expect.element(link).toHaveFocus();
  await expect.element(findToggle()).toHaveAttribute('aria-expanded', 'true');
});
