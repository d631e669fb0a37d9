import { flushSync } from 'react-dom';
import { createRoot } from 'react-dom/client';
import { expect, test } from 'vitest';
import { textContents } from '../../../testing/locators.ts';
import { page } from 'vitest/browser';
import { ChangesTable } from './changes-table.tsx';

test('removes every row of a change that is gone, even if labels are equal', () => {
  const root = createRoot(document.body.appendChild(document.createElement('div')));
  const gainChange = (key: string, before: string, symbol = '') => ({
    key,
    label: `Collateral gains · ${symbol}`,
    before,
    after: '0',
  });
  const renderChanges = (...changes: ReturnType<typeof gainChange>[]) =>
    flushSync(() => root.render(<ChangesTable of={changes} />));
  const before = () => textContents(page.getByRole('cell')).filter((_, index) => index % 2 === 0);
  renderChanges(gainChange('0xa', '1'), gainChange('0xb', '2'), gainChange('0xc', '3', 'WBTC'));
  expect(before()).toEqual(['1', '2', '3']);
  renderChanges(gainChange('0xc', '3', 'WBTC'));
  expect(before()).toEqual(['3']);
  root.unmount();
});
