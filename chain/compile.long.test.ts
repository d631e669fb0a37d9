import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { compile, compiledPath, withoutLayout } from './compile.ts';

test('chain/abi and bytecode.json equal a fresh compilation of the sources', () => {
  for (const [path, text] of compile())
    expect(withoutLayout(readFileSync(compiledPath(path), 'utf8')), path).toBe(withoutLayout(text));
}, 180_000);
