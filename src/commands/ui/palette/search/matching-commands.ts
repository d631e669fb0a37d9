import type { AnyCommand } from '../../../engine/define.ts';
import { matchCommand, shortestScattered, parseQuery, type Match } from './search.ts';

type MatchedCommands = readonly (readonly [command: AnyCommand, match: Match, order: number])[];

let last: { commands: readonly AnyCommand[]; shown: 'zh' | 'en'; asked: string; found: MatchedCommands } | null = null;

/** A longer query only narrows the result, so it searches the previous matches. */
export function matchingCommands(commands: readonly AnyCommand[], query: string, shown: 'zh' | 'en'): MatchedCommands {
  const searchQuery = parseQuery(query);
  const { asked } = searchQuery;
  const isSame = last !== null && last.commands === commands && last.shown === shown;
  const isLonger =
    isSame && last !== null && asked.startsWith(last.asked) && last.asked.replaceAll(' ', '').length >= shortestScattered;
  const match = (command: AnyCommand, order: number) => {
    const found = matchCommand(command.id, searchQuery, shown);
    return found ? [[command, found, order] as const] : [];
  };
  const found = isLonger && last ? last.found.flatMap(([command, , order]) => match(command, order)) : commands.flatMap(match);
  last = { commands, shown, asked, found };
  return found;
}
