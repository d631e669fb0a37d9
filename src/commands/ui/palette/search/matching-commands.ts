import type { AnyCommand } from '../../../engine/define.ts';
import { matchCommand, minScatteredLength, parseQuery, type Match } from './search.ts';

type MatchedCommands = readonly (readonly [command: AnyCommand, match: Match, order: number])[];

let lastSearch: { commands: readonly AnyCommand[]; shown: 'zh' | 'en'; asked: string; found: MatchedCommands } | null = null;

/** A longer query only narrows the result, so it searches the previous matches. */
export function matchingCommands(commands: readonly AnyCommand[], query: string, language: 'zh' | 'en'): MatchedCommands {
  const searchQuery = parseQuery(query);
  const { asked } = searchQuery;
  const isSame = lastSearch !== null && lastSearch.commands === commands && lastSearch.shown === language;
  const isExtension =
    isSame &&
    lastSearch !== null &&
    asked.startsWith(lastSearch.asked) &&
    lastSearch.asked.replaceAll(' ', '').length >= minScatteredLength;
  const match = (command: AnyCommand, order: number) => {
    const commandMatch = matchCommand(command.id, searchQuery, language);
    return commandMatch ? [[command, commandMatch, order] as const] : [];
  };
  const matches =
    isExtension && lastSearch ? lastSearch.found.flatMap(([command, , order]) => match(command, order)) : commands.flatMap(match);
  lastSearch = { commands, shown: language, asked, found: matches };
  return matches;
}
