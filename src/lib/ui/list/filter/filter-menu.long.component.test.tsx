import { atom } from 'nanostores';
import { createRoot } from 'react-dom/client';
import { expect, test } from 'vitest';
import { page } from 'vitest/browser';
import { readCalls, holdResponses, mockRoutes } from '../../../../testing/api.ts';
import { press, typeText } from '../../../../testing/keys.ts';
import { openNews } from '../../../../testing/list.ts';
import { signIn } from '../../../../testing/panel.tsx';
import { EarlyText } from './conditions.tsx';
import { FilterMenu } from './filter-menu.tsx';

test('text typed while the filter menu is drawn in slices is in its field', async () => {
  await signIn('all', '/news');
  const earlyKeys = { text: 'e', entered: false };
  const field = {
    get kind() {
      if (earlyKeys.text === 'e') earlyKeys.text = 'ed';
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
      early={earlyKeys}
    />,
  );
  const input = page.css('[data-filter-menu] input');
  await expect.element(input).toHaveFocus();
  await expect.element(input).toHaveValue('ed');
  expect(earlyKeys).toEqual({ text: '', entered: false });
  root.unmount();
  element.remove();
});

test('a person who deletes the text or picks a field while Enter waits for values can continue typing', async () => {
  await signIn('all', '/news');
  const releaseResponse = holdResponses('news/values');
  const input = page.css('[data-filter-menu] input');
  await openNews();
  await press('f');
  await expect.element(input).toHaveFocus();
  await typeText('qqq');
  await press('Enter');
  await press('Escape');
  await typeText('间');
  await expect.element(input).toHaveValue('间');
  await press('Enter');
  await page.css('[data-filter-menu]').getByRole('option', { name: '时间', exact: true }).click();
  await typeText('7');
  await expect.element(input).toHaveValue('7');
  releaseResponse();
});

test('the field that was picked is a button that leads back to all fields', async () => {
  await signIn('all', '/news');
  await openNews();
  await press('f');
  const menu = page.css('[data-filter-menu]');
  await menu.getByRole('option', { name: '状态', exact: true }).click();
  await expect.element(menu.getByRole('option', { name: '时间', exact: true })).toHaveLength(0);
  await menu.getByRole('button', { name: '状态：返回' }).click();
  await expect.element(menu.getByRole('option', { name: '时间', exact: true })).toBeVisible();
  await expect.element(menu.css('input')).toHaveFocus();
});

test('several values are chosen one after another without moving and without a refetch', async () => {
  const values = ['ada', 'ben', 'cyd'].map((name, index) => ({ value: `${name}@demo.local`, count: 3 - index }));
  await signIn('all', '/audit', {
    audit: {
      list: mockRoutes.audit.list.handler(() => ({
        rows: [],
        nextCursor: null,
        prevCursor: null,
        count: { value: 0, kind: 'exact' },
      })),
      values: mockRoutes.audit.values.handler(() => ({ values })),
    },
  });
  const menu = page.css('[data-filter-menu]');
  const selectedOption = menu.css('[role="option"][aria-selected="true"]');
  await expect.element(page.css('[data-foot]')).toHaveTextContent('0 条');
  await press('f');
  await expect.element(menu.getByRole('combobox')).toHaveFocus();
  await typeText('操作人');
  await press('Enter');
  await expect.element(menu.getByRole('option')).toHaveLength(3);
  holdResponses('audit/values', (requestBody) => JSON.stringify(requestBody).includes('ada@'));
  const callsBefore = readCalls('audit/values').length;
  for (const name of ['ada', 'ben']) {
    await expect.element(selectedOption).toHaveTextContent(`${name}@demo.local`);
    await press('Shift+Enter');
    await expect.element(selectedOption).toHaveAttribute('aria-checked', 'true');
    await expect.element(menu.getByRole('option')).toHaveLength(3);
    await press('ArrowDown');
  }
  expect(new URLSearchParams(location.search).get('actor')).toBe('ada@demo.local,ben@demo.local');
  expect(readCalls('audit/values')).toHaveLength(callsBefore);
});

test('before the filter menu is loaded Escape leaves its field, and an input method keeps its Enter and Escape', async () => {
  const earlyKeys = { text: '', entered: false };
  const element = document.body.appendChild(document.createElement('div'));
  const root = createRoot(element);
  let leaveCount = 0;
  root.render(<EarlyText label="early" early={earlyKeys} onLeave={() => (leaveCount += 1)} />);
  const input = page.getByRole('textbox', { name: 'early' });
  await expect.element(input).toHaveFocus();
  for (const key of ['Enter', 'Escape'])
    for (const compositionEvent of [{ isComposing: true }, { keyCode: 229 }])
      input.element().dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true, ...compositionEvent }));
  expect([earlyKeys.entered, leaveCount]).toEqual([false, 0]);
  await press('Enter');
  await press('Escape');
  expect([earlyKeys.entered, leaveCount]).toEqual([true, 1]);
  root.unmount();
  element.remove();
});
