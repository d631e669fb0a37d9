import type { Target } from '../../lib/scope.ts';
import { assess, type Context, type Verdict } from './assess.ts';
import type { AnyCommand } from './define.ts';

/** Each command is judged once until its inputs change. */
export function judging(targets: readonly Target[]): (context: Context) => (command: AnyCommand) => Verdict {
  let before: Context | null = null;
  let verdicts = new Map<AnyCommand, Verdict>();
  return (context) => {
    if (before === null || !isSame(before, context)) verdicts = new Map();
    before = context;
    const known = verdicts;
    return (command) => {
      const verdict = known.get(command) ?? assess(command, context, command.target.kind === 'none' ? [] : targets);
      known.set(command, verdict);
      return verdict;
    };
  };
}

const isSame = (one: Context, other: Context): boolean =>
  (Object.keys(one) as (keyof Context)[]).every((key) => one[key] === other[key]);
