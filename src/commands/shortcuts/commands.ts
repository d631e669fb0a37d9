import { shortcutNames } from '../../../api/shortcuts/names.ts';
import { addNames } from '../../lib/i18n/name-of.ts';
import { invocation, defineCommand, noTarget, type CommandResult } from '../engine/define.ts';
import { paramSpec } from '../engine/fields.ts';

addNames(shortcutNames);

const ownCommand = { permission: 'anyone', place: 'global', target: noTarget, danger: 'none' } as const;

/** The previous keys are one undo away. */
const keyChangeResult = (key: 'keys.resetDone' | 'keys.imported', before: string): CommandResult => ({
  toast: { key },
  undo: invocation('keys.import', { params: { file: before } }),
});

const file = paramSpec(() => import('./schemas.ts').then(({ keyFileSchema }) => keyFileSchema), {
  file: { as: 'file', label: 'keys.field.file', says: 'keys.takes', accept: '.json,application/json' },
});
const keyFile: typeof file = {
  ...file,
  check: async ({ file: provided }, { ui }) => (await ui.ownKeys()).refuseKeyFile(provided),
};

export const keys = [
  defineCommand({
    ...ownCommand,
    id: 'keys.edit',
    icon: 'keyboard',
    params: null,
    excludeFromHistory: true,
    run: ({ ui }) => ui.openKeys('edit'),
  }),
  defineCommand({
    ...ownCommand,
    id: 'keys.reset',
    icon: 'undo-2',
    params: null,
    run: async ({ ui }) => (await ui.ownKeys()).resetKeys(),
    done: (before): CommandResult => keyChangeResult('keys.resetDone', before),
  }),
  defineCommand({
    ...ownCommand,
    id: 'keys.export',
    icon: 'download',
    params: null,
    excludeFromHistory: true,
    run: async ({ ui }) => (await ui.ownKeys()).exportKeys(),
    done: (): CommandResult => ({ toast: { key: 'keys.exported' } }),
  }),
  defineCommand({
    ...ownCommand,
    id: 'keys.import',
    icon: 'arrow-up-from-line',
    params: keyFile,
    run: async ({ ui, params: { file: provided } }) => (await ui.ownKeys()).importKeys(provided),
    done: (before): CommandResult => keyChangeResult('keys.imported', before),
  }),
];
