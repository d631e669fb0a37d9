import { atom } from 'nanostores';
import { createRoot } from 'react-dom/client';
import { expect, test } from 'vitest';
import { page } from 'vitest/browser';
import { callsOf, holdResponses, on } from '../../../../testing/api.ts';
import { press, type } from '../../../../testing/keys.ts';
import { openNews } from '../../../../testing/list.ts';
import { signIn } from '../../../../testing/panel.tsx';
import { EarlyText } from './conditions.tsx';
import { FilterMenu } from './filter-menu.tsx';

test('text typed while the filter menu is drawn in slices is in its field', async () => {
  await signIn('all', '/news');
  const early = { text: 'e', entered: false };
  const field = {
    get kind() {
      if (early.text === 'e') early.text = 'ed';
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

test('a person who deletes the text or picks a field while Enter waits for values can continue typing', async () => {
  await signIn('all', '/news');
  const release = holdResponses('news/values');
  const input = page.css('[data-filter-menu] input');
  await openNews();
  await press('f');
  await expect.element(input).toHaveFocus();
  await type('qqq');
  await press('Enter');
  await press('Escape');
  await type('间');
  await expect.element(input).toHaveValue('间');
  await press('Enter');
  await page.css('[data-filter-menu]').getByRole('option', { name: '时间', exact: true }).click();
  await type('7');
  await expect.element(input).toHaveValue('7');
  release();
});

test('several values are chosen one after another without moving and without a refetch', async () => {
  const values = ['ada', 'ben', 'cyd'].map((name, at) => ({ value: `${name}@demo.local`, count: 3 - at }));
  await signIn('all', '/audit', {
    audit: {
      list: on.audit.list.handler(() => ({ rows: [], nextCursor: null, prevCursor: null, count: { value: 0, kind: 'exact' } })),
      values: on.audit.values.handler(() => ({ values })),
    },
  });
  const menu = page.css('[data-filter-menu]');
  const current = menu.css('[role="option"][aria-selected="true"]');
  await expect.element(page.css('[data-foot]')).toHaveTextContent('0 条');
  await press('f');
  await expect.element(menu.getByRole('combobox')).toHaveFocus();
  await type('操作人');
  await press('Enter');
  await expect.element(menu.getByRole('option')).toHaveLength(3);
  holdResponses('audit/values', (requested) => JSON.stringify(requested).includes('ada@'));
  const before = callsOf('audit/values').length;
  for (const name of ['ada', 'ben']) {
    await expect.element(current).toHaveTextContent(`${name}@demo.local`);
    await press('Shift+Enter');
    await expect.element(current).toHaveAttribute('aria-checked', 'true');
    await expect.element(menu.getByRole('option')).toHaveLength(3);
    await press('ArrowDown');
  }
  expect(new URLSearchParams(location.search).get('actor')).toBe('ada@demo.local,ben@demo.local');
  expect(callsOf('audit/values')).toHaveLength(before);
});

test('before the filter menu is loaded Escape leaves its field, and an input method keeps its Enter and Escape', async () => {
  const early = { text: '', entered: false };
  const element = document.body.appendChild(document.createElement('div'));
  const root = createRoot(element);
  let left = 0;
  root.render(<EarlyText label="early" early={early} onLeave={() => (left += 1)} />);
  const input = page.getByRole('textbox', { name: 'early' });
  await expect.element(input).toHaveFocus();
  for (const key of ['Enter', 'Escape'])
    for (const how of [{ isComposing: true }, { keyCode: 229 }])
      input.element().dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true, ...how }));
  expect([early.entered, left]).toEqual([false, 0]);
  await press('Enter');
  await press('Escape');
  expect([early.entered, left]).toEqual([true, 1]);
  root.unmount();
  element.remove();
});
