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
