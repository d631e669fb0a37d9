import { flushSync } from 'react-dom';
import { createRoot } from 'react-dom/client';
import { expect, test } from 'vitest';
import { textContents } from '../../../testing/see.ts';
import { page } from 'vitest/browser';
import { ChangesTable } from './changes-table.tsx';

test('removes every row of a change that is gone, even if labels are equal', () => {
  const root = createRoot(document.body.appendChild(document.createElement('div')));
  const gain = (key: string, before: string, symbol = '') => ({ key, label: `Collateral gains · ${symbol}`, before, after: '0' });
  const draw = (...of: ReturnType<typeof gain>[]) => flushSync(() => root.render(<ChangesTable of={of} />));
  const before = () => textContents(page.getByRole('cell')).filter((_, at) => at % 2 === 0);
  draw(gain('0xa', '1'), gain('0xb', '2'), gain('0xc', '3', 'WBTC'));
  expect(before()).toEqual(['1', '2', '3']);
  draw(gain('0xc', '3', 'WBTC'));
  expect(before()).toEqual(['3']);
  root.unmount();
});
