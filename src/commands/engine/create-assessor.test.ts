import { expect, test } from 'vitest';
import { registry } from '../app/all.ts';
import type { CommandContext } from './assess.ts';
import { createAssessor } from './create-assessor.ts';

const anonymousContext: CommandContext = {
  signedIn: false,
  codes: new Set(),
  paths: new Set(),
  viewContext: null,
  expert: false,
};

test('a verdict is cached exactly as long as its inputs are unchanged', () => {
  const command = registry.get('go.news');
  if (!command) throw new Error('no such command');
  const assessIn = createAssessor([]);
  expect(assessIn(anonymousContext)(command)).toEqual({ state: 'hidden' });
  const signedInContext = { ...anonymousContext, signedIn: true, paths: new Set(['/news']) };
  const assessment = assessIn(signedInContext)(command);
  expect(assessment).toEqual({ state: 'ok' });
  expect(assessIn({ ...signedInContext })(command)).toBe(assessment);
  expect(assessIn({ ...signedInContext, paths: new Set() })(command)).toEqual({ state: 'hidden' });
});
