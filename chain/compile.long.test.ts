import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { compile, outputPathOf, stripLayout } from './compile.ts';

test('chain/abi and bytecode.json equal a fresh compilation of the sources', () => {
  for (const [path, text] of compile())
    expect(stripLayout(readFileSync(outputPathOf(path), 'utf8')), path).toBe(stripLayout(text));
}, 180_000);
