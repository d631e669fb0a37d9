import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { root } from '../setup.mjs';
import { planFiles } from './plan.ts';
import { spellNames } from './words.ts';

test('imports of new files resolve', () => {
  const { added } = planFiles(root, spellNames({ name: 'price-alerts', zh: '价格提醒', en: 'Price alerts' }));
  for (const [file, text] of added)
    for (const [, path = ''] of text.matchAll(/(?:from|import\() ?'(\.[^']+)'/g)) {
      const resolvedPath = join(dirname(file), path);
      expect(added.has(resolvedPath) || existsSync(join(root, resolvedPath)), `${file}: ${path}`).toBe(true);
    }
});
