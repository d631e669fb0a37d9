import type { Target } from '../../lib/scope.ts';
import { assess, type CommandContext, type Assessment } from './assess.ts';
import type { AnyCommand } from './define.ts';

/** Each command is judged once until its inputs change. */
export function createAssessor(targets: readonly Target[]): (context: CommandContext) => (command: AnyCommand) => Assessment {
  let before: CommandContext | null = null;
  let verdicts = new Map<AnyCommand, Assessment>();
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

const isSame = (one: CommandContext, other: CommandContext): boolean =>
  (Object.keys(one) as (keyof CommandContext)[]).every((key) => one[key] === other[key]);
