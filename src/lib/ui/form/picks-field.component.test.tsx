import { useState } from 'react';
import { flushSync } from 'react-dom';
import { createRoot } from 'react-dom/client';
import { expect, test } from 'vitest';
import { page } from 'vitest/browser';
import { setDictionary, t } from '../../i18n/i18n.ts';
import { enPanel } from '../../i18n/en-US/index.ts';
import { enResources } from '../../i18n/en-US/resources.ts';
import { PicksField } from './picks-field.tsx';
import '../../../styles.css';

const options = [
  { value: 'editor', label: 'Content editor', blocked: 'The identity provider gives this role.' },
  { value: 'analyst', label: 'Analyst' },
  { value: 'all', label: 'Full access', blocked: 'You can’t grant this role.' },
];
function Form() {
  const [value, setValue] = useState<readonly string[]>(['editor', 'analyst']);
  return (
    <div data-chosen={value.join(' ')}>
      <PicksField
        id="roles"
        required
        invalid={false}
        describedBy={undefined}
        labelledBy="roles-label"
        autoFocus={false}
        options={async () => options}
        empty="administrators.noRoles"
        value={value}
        onChange={setValue}
      />
    </div>
  );
}

test('a locked choice keeps its state, whatever is pressed, and says why', async () => {
  setDictionary('en-US', { ...enPanel, ...enResources });
  const element = document.body.appendChild(document.createElement('div'));
  const root = createRoot(element);
  flushSync(() => root.render(<Form />));
  const readChosen = () => element.querySelector('[data-chosen]')?.getAttribute('data-chosen');
  await expect.element(page.getByText('The identity provider gives this role.')).toBeVisible();
  await page.getByRole('button', { name: t('form.picksNone') }).click();
  expect(readChosen()).toBe('editor');
  await page.getByRole('button', { name: t('form.picksAll') }).click();
  expect(readChosen()).toBe('editor analyst');
  await page.getByText('Content editor').click();
  expect(readChosen()).toBe('editor analyst');
  root.unmount();
  element.remove();
});

test('keeps the search and both buttons on one line in a phone’s dialog', async () => {
  await page.viewport(375, 740);
  setDictionary('en-US', { ...enPanel, ...enResources });
  const element = document.body.appendChild(document.createElement('div'));
  element.style.width = '334px';
  const root = createRoot(element);
  flushSync(() => root.render(<Form />));
  await expect.element(page.getByText('Analyst')).toBeVisible();
  const search = page.getByRole('combobox').element().getBoundingClientRect();
  for (const name of [t('form.picksAll'), t('form.picksNone')]) {
    const button = page.getByRole('button', { name }).element().getBoundingClientRect();
    expect(button.top).toBeLessThan(search.bottom);
    expect(button.right).toBeLessThanOrEqual(element.getBoundingClientRect().right);
  }
  root.unmount();
  element.remove();
  await page.viewport(1280, 800);
});
