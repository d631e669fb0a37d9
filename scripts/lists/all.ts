import { commandLists } from './commands.ts';
import type { Sources } from './features.ts';
import { screenLists } from './screens.ts';
import { apiLists } from './server.ts';

export const generateLists = async (sources: Sources): Promise<Map<string, string>> =>
  new Map([...(await apiLists(sources)), ...(await commandLists(sources)), ...(await screenLists(sources))]);
