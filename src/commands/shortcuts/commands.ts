import { shortcutNames } from '../../../api/shortcuts/names.ts';
import { addNames } from '../../lib/i18n/name-of.ts';
import { invocation, defineCommand, noTarget, type CommandResult } from '../engine/define.ts';
import { paramSpec } from '../engine/fields.ts';

addNames(shortcutNames);

const keysCommand = { permission: 'anyone', place: 'global', target: noTarget, danger: 'none' } as const;

/** The previous keys are one undo away. */
const keyChangeResult = (key: 'keys.resetDone' | 'keys.imported', previousKeys: string): CommandResult => ({
  toast: { key },
  undo: invocation('keys.import', { params: { file: previousKeys } }),
});

const file = paramSpec(() => import('./schemas.ts').then(({ keyFileSchema }) => keyFileSchema), {
  file: { as: 'file', label: 'keys.field.file', says: 'keys.takes', accept: '.json,application/json' },
});
const keyFileField: typeof file = {
  ...file,
  check: async ({ file: providedFile }, { ui }) => (await ui.ownKeys()).refuseKeyFile(providedFile),
};

export const keys = [
  defineCommand({
    ...keysCommand,
    id: 'keys.edit',
    icon: 'keyboard',
    params: null,
    excludeFromHistory: true,
    run: ({ ui }) => ui.openKeys('edit'),
  }),
  defineCommand({
    ...keysCommand,
    id: 'keys.reset',
    icon: 'undo-2',
    params: null,
    run: async ({ ui }) => (await ui.ownKeys()).resetKeys(),
    done: (previousKeys): CommandResult => keyChangeResult('keys.resetDone', previousKeys),
  }),
  defineCommand({
    ...keysCommand,
    id: 'keys.export',
    icon: 'download',
    params: null,
    excludeFromHistory: true,
    run: async ({ ui }) => (await ui.ownKeys()).exportKeys(),
    done: (): CommandResult => ({ toast: { key: 'keys.exported' } }),
  }),
  defineCommand({
    ...keysCommand,
    id: 'keys.import',
    icon: 'arrow-up-from-line',
    params: keyFileField,
    run: async ({ ui, params: { file: providedFile } }) => (await ui.ownKeys()).importKeys(providedFile),
    done: (previousKeys): CommandResult => keyChangeResult('keys.imported', previousKeys),
  }),
];
