import { expect, onTestFinished, test } from 'vitest';
import type { Column } from './columns.ts';
import { watchColumns } from './watch-columns.ts';

const columns: readonly Column<never>[] = [
  { id: 'name', header: 'news.field.title', width: 200, cell: () => '' },
  { id: 'at', header: 'news.field.createdAt', width: 150, cell: () => '' },
];

test('a cut column of times is hidden when the first rows arrive after the layout', async () => {
  const grid = document.createElement('div');
  grid.style.cssText = 'width: 300px; overflow: auto';
  const line = (cells: string) => `<div style="display: flex; width: 350px">${cells}</div>`;
  grid.innerHTML = `<div style="width: 350px">
    ${line('<div role="columnheader" data-head="name" style="flex: 0 0 200px"></div><div role="columnheader" data-head="at" style="flex: 0 0 150px"></div>')}
    <div data-body style="height: 40px"></div>
  </div>`;
  document.body.append(grid);
  const stop = watchColumns(grid, columns);
  onTestFinished(() => {
    stop();
    grid.remove();
  });
  expect(grid.style.getPropertyValue('--see-at')).toBe('');
  const row = line(
    '<div data-column="name" style="flex: 0 0 200px">Lin</div><div data-column="at" style="flex: 0 0 150px"><time>10:00</time></div>',
  );
  grid.querySelector('[data-body]')?.insertAdjacentHTML('beforeend', row);
  await expect.poll(() => grid.style.getPropertyValue('--see-at')).toBe('0');
});
