import { names, type CommandId, type Name } from './names.ts';
import { rewardNames } from './names-rewards.ts';

/** The name of every command. The permission tree is seeded from it. */
export const allNames: Readonly<Record<CommandId, Name>> = { ...names, ...rewardNames };
