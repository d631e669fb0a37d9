import { readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import sharp from 'sharp';
import { expect, test } from 'vitest';
import { asOnePath, type IconNode } from './icon-path.ts';

const folder = new URL('../node_modules/lucide-react/dist/esm/icons/', import.meta.url);
/** Some of each letter. */
const names = readdirSync(fileURLToPath(folder)).filter((name, at) => name.endsWith('.mjs') && at % 25 === 0);

/** Nothing of a file that is another's second name. */
const iconOf = async (name: string): Promise<IconNode> => {
  const { __iconData: icon } = (await import(new URL(name, folder).href)) as { __iconData?: { node: IconNode } };
  return icon?.node ?? [];
};

/** As it is drawn at four times its size, a byte a pixel. */
async function drawn(node: IconNode): Promise<Buffer> {
  const elements = node.map(
    ([tag, attributes]) =>
      `<${tag} ${Object.entries(attributes)
        .map(([name, value]) => `${name}="${value}"`)
        .join(' ')}/>`,
  );
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="96" height="96" viewBox="0 0 24 24" fill="none" stroke="black" stroke-width="2" stroke-linecap="round" stroke-linejoin="round">${elements.join('')}</svg>`;
  return sharp(Buffer.from(svg)).extractChannel('alpha').raw().toBuffer();
}

test('an icon of one path looks as it did of many', async () => {
  let joined = 0;
  for (const name of names) {
    const node = await iconOf(name);
    const one = asOnePath(node);
    if (one.length < node.length) joined++;
    const [before, after] = [await drawn(node), await drawn(one)];
    // Where two lines meet, their soft edges are painted once instead of twice.
    const other = before.reduce((sum, value, at) => sum + (Math.abs(value - (after[at] ?? 0)) > 96 ? 1 : 0), 0);
    expect(other, name).toBeLessThan(12);
  }
  expect(joined).toBeGreaterThan(names.length / 2);
});

test('what says more than a shape stays an element of its own', () => {
  const dot = ['circle', { cx: '7.5', cy: '7.5', r: '.5', fill: 'currentColor' }] as const;
  expect(asOnePath([['path', { d: 'M1 1h2', key: 'a' }], dot, ['line', { x1: '1', y1: '2', x2: '3', y2: '4' }]])).toEqual([
    ['path', { d: 'M1 1h2M1 2L3 4' }],
    dot,
  ]);
});

test.each([
  ['m6 9 6 6 6-6', 'M6 9l6 6 6-6'],
  ['m9 18 6-6-6-6', 'M9 18l6-6-6-6'],
  ['m2 7h4', 'M2 7h4'],
  ['m1.5.5.5-.5', 'M1.5 .5l.5-.5'],
  ['M3 3v5', 'M3 3v5'],
])('a path that begins with a relative move begins where it stands: %s', (d, absolute) => {
  expect(asOnePath([['path', { d }]])).toEqual([['path', { d: absolute }]]);
});
