import { refreshAccess } from '../../lib/session/access.ts';
import { anywhere, defineCommand, type Done } from '../engine/define.ts';
import { choice, code, newSecret, params, secret } from '../engine/fields.ts';

export const own = [
  defineCommand({
    ...anywhere,
    id: 'theme.set',
    icon: 'sun-moon',
    params: params(() => import('./schemas.ts').then(({ themeSchema }) => themeSchema), {
      theme: choice('palette.field.theme', [
        { value: 'light', label: 'palette.theme.light' },
        { value: 'dark', label: 'palette.theme.dark' },
        { value: 'system', label: 'palette.theme.system' },
        { value: 'contrast', label: 'palette.theme.contrast' },
      ]),
    }),
    run: ({ ui, params: { theme } }) => ui.setTheme(theme),
  }),
  defineCommand({
    ...anywhere,
    id: 'density.set',
    icon: 'rows-3',
    params: params(() => import('./schemas.ts').then(({ densitySchema }) => densitySchema), {
      density: choice('palette.field.density', [
        { value: 'compact', label: 'palette.density.compact' },
        { value: 'default', label: 'palette.density.default' },
        { value: 'roomy', label: 'palette.density.roomy' },
      ]),
    }),
    run: ({ ui, params: { density } }) => ui.setDensity(density),
  }),
  defineCommand({
    ...anywhere,
    id: 'session.changePassword',
    icon: 'key-round',
    params: params(() => import('../../../api/account/contract.ts').then(({ passwordChange }) => passwordChange), {
      current: secret('account.field.current'),
      password: newSecret('account.field.password', 'account.field.passwordHint'),
      code: code('account.field.code', ({ api, signal }) => api.account.sendCode(undefined, { signal })),
    }),
    run: async ({ api, params: change }) => {
      await api.account.changePassword(change);
      await refreshAccess().catch(() => {}); // the panel may open now, if the password blocked it
    },
    done: (): Done => ({ stale: ['account'] }),
  }),
];
