import { refreshAccess } from '../../lib/session/access.ts';
import { globalCommand, defineCommand, type CommandResult } from '../engine/define.ts';
import { choiceField, codeField, newSecretField, paramSpec, secretField } from '../engine/fields.ts';

export const preferenceCommands = [
  defineCommand({
    ...globalCommand,
    id: 'theme.set',
    icon: 'sun-moon',
    params: paramSpec(() => import('./schemas.ts').then(({ themeSchema }) => themeSchema), {
      theme: choiceField('appearance.field.theme', [
        { value: 'light', label: 'appearance.theme.light' },
        { value: 'dark', label: 'appearance.theme.dark' },
        { value: 'system', label: 'appearance.theme.system' },
        { value: 'contrast', label: 'appearance.theme.contrast' },
      ]),
    }),
    run: ({ ui, params: { theme } }) => ui.setTheme(theme),
  }),
  defineCommand({
    ...globalCommand,
    id: 'density.set',
    icon: 'rows-3',
    params: paramSpec(() => import('./schemas.ts').then(({ densitySchema }) => densitySchema), {
      density: choiceField('appearance.field.density', [
        { value: 'compact', label: 'appearance.density.compact' },
        { value: 'default', label: 'appearance.density.default' },
        { value: 'roomy', label: 'appearance.density.roomy' },
      ]),
    }),
    run: ({ ui, params: { density } }) => ui.setDensity(density),
  }),
  defineCommand({
    ...globalCommand,
    id: 'session.changePassword',
    icon: 'key-round',
    params: paramSpec(() => import('../../../api/account/contract.ts').then(({ passwordChange }) => passwordChange), {
      current: secretField('account.field.current'),
      password: newSecretField('account.field.password', 'account.field.passwordHint'),
      code: codeField('account.field.code', ({ api, signal }) => api.account.sendCode(undefined, { signal })),
    }),
    run: async ({ api, params: preferences }) => {
      await api.account.changePassword(preferences);
      await refreshAccess().catch(() => {}); // the panel may open now, if the password blocked it
    },
    done: (): CommandResult => ({ stale: ['account'] }),
  }),
];
