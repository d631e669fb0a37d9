import { expect, test } from 'vitest';
import { registry } from '../app/all.ts';
import type { CommandContext } from './assess.ts';
import { createAssessor } from './create-assessor.ts';

const nobody: CommandContext = { signedIn: false, codes: new Set(), paths: new Set(), viewContext: null, expert: false };

test('a verdict is cached exactly as long as its inputs are unchanged', () => {
  const command = registry.get('go.news');
  if (!command) throw new Error('no such command');
  const judgeIn = createAssessor([]);
  expect(judgeIn(nobody)(command)).toEqual({ state: 'hidden' });
  const somebody = { ...nobody, signedIn: true, paths: new Set(['/news']) };
  const allowed = judgeIn(somebody)(command);
  expect(allowed).toEqual({ state: 'ok' });
  expect(judgeIn({ ...somebody })(command)).toBe(allowed);
  expect(judgeIn({ ...somebody, paths: new Set() })(command)).toEqual({ state: 'hidden' });
});
