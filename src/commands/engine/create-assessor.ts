import type { Target } from '../../lib/scope.ts';
import { assess, type CommandContext, type Assessment } from './assess.ts';
import type { AnyCommand } from './define.ts';

/** Each command is judged once until its inputs change. */
export function createAssessor(targets: readonly Target[]): (context: CommandContext) => (command: AnyCommand) => Assessment {
  let previousContext: CommandContext | null = null;
  let assessments = new Map<AnyCommand, Assessment>();
  return (context) => {
    if (previousContext === null || !isSame(previousContext, context)) assessments = new Map();
    previousContext = context;
    const cachedVerdicts = assessments;
    return (command) => {
      const assessment = cachedVerdicts.get(command) ?? assess(command, context, command.target.kind === 'none' ? [] : targets);
      cachedVerdicts.set(command, assessment);
      return assessment;
    };
  };
}

const isSame = (a: CommandContext, b: CommandContext): boolean =>
  (Object.keys(a) as (keyof CommandContext)[]).every((key) => a[key] === b[key]);
