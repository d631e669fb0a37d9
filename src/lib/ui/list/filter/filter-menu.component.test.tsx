import { atom } from 'nanostores';
import { createRoot } from 'react-dom/client';
import { expect, test } from 'vitest';
import { page } from 'vitest/browser';
import { hold } from '../../../../testing/api.ts';
import { press, type } from '../../../../testing/keys.ts';
import { openNews } from '../../../../testing/list.ts';
import { signIn } from '../../../../testing/panel.tsx';
import { FilterMenu } from './filter-menu.tsx';

test('what is typed while it is being drawn is in its field: it is drawn in slices, and the page hears keys between them', async () => {
  await signIn('all', '/news'); // for its words
  const early = { text: 'e', entered: false };
  const field = {
    get kind() {
      if (early.text === 'e') early.text = 'ed'; // a key between two slices
      return 'flag';
    },
  };
  const list = {
    resource: 'drawn',
    query: { filter: {} },
    asked: {},
    setFilter() {},
    store: { $filter: atom(null), controls: { closeFilter() {} }, parts: { grid: null } },
  };
  const element = document.body.appendChild(document.createElement('div'));
  const root = createRoot(element);
  root.render(
    <FilterMenu
      list={list as never}
      filters={{ actor: { label: 'audit.actor', field } } as never}
      name={null}
      like={null}
      opener={null}
      early={early}
    />,
  );
  const input = page.css('[data-filter-menu] input');
  await expect.element(input).toHaveFocus();
  await expect.element(input).toHaveValue('ed');
  expect(early).toEqual({ text: '', entered: false });
  root.unmount();
  element.remove();
});

test('who takes back an Enter that waits for the values, or picks a field instead, goes on typing', async () => {
  await signIn('all', '/news');
  const release = hold('news/values');
  const input = page.css('[data-filter-menu] input');
  await openNews();
  await press('f');
  await expect.element(input).toHaveFocus();
  await type('qqq');
  await press('Enter');
  await press('Escape');
  await type('间'); // of 时间, and maybe of a value that is still to come
  await expect.element(input).toHaveValue('间');
  await press('Enter');
  await page.css('[data-filter-menu]').getByRole('option', { name: '时间', exact: true }).click();
  await type('7');
  await expect.element(input).toHaveValue('7');
  release();
});
