import { refreshAccess } from '../../lib/session/access.ts';
import { locale } from '../../lib/i18n/i18n.ts';
import { nameOf } from '../../lib/i18n/name-of.ts';
import { defineCommand, no, none, type Done } from '../engine/define.ts';
import { choice, code, newSecret, params, secret } from '../engine/fields.ts';
import { lastRun, lastStanding } from '../engine/dispatch/history.ts';

/** What every signed-in person may do to the panel itself. */
const panelCommand = {
  permission: 'anyone',
  place: 'global',
  target: none,
  params: null,
  danger: 'none',
  passing: true,
} as const;

export const panel = [
  defineCommand({ ...panelCommand, id: 'palette.open', icon: 'command', keys: ['mod+k'], run: ({ ui }) => ui.openPalette() }),
  defineCommand({ ...panelCommand, id: 'keys.help', icon: 'keyboard', keys: ['?'], run: ({ ui }) => ui.openKeys() }),
  defineCommand({ ...panelCommand, id: 'keys.single', icon: 'keyboard-off', run: ({ ui }) => ui.toggleSingleKeys() }),
  defineCommand({
    ...panelCommand,
    id: 'history.repeat',
    icon: 'repeat',
    keys: ['.'],
    when: () => lastRun() !== undefined || no('palette.blocked.nothingToRepeat'),
    run: ({ ui }) => ui.repeat(),
  }),
  defineCommand({
    ...panelCommand,
    id: 'history.undo',
    icon: 'undo-2',
    keys: ['mod+z'],
    when: () => {
      const last = lastStanding();
      if (!last) return no('palette.blocked.nothingToUndo');
      return last.undo || last.instead ? true : no('palette.blocked.cannotUndo', { what: nameOf(last.invocation.id) });
    },
    run: ({ ui }) => ui.undo(),
  }),
  defineCommand({
    ...panelCommand,
    id: 'language.switch',
    icon: 'languages',
    keys: ['g i'],
    run: ({ ui }) => ui.switchLanguage(),
  }),
  defineCommand({
    ...panelCommand,
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
    ...panelCommand,
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
    ...panelCommand,
    id: 'sidebar.toggle',
    icon: 'panel-left',
    keys: ['mod+b'],
    run: ({ ui }) => ui.toggleSidebar(),
  }),
  defineCommand({
    ...panelCommand,
    id: 'session.changePassword',
    icon: 'key-round',
    params: params(() => import('../../../api/account/contract.ts').then(({ passwordChange }) => passwordChange), {
      current: secret('account.field.current'),
      password: newSecret('account.field.password', 'account.field.passwordHint'),
      code: code('account.field.code', ({ api, signal }) => api.account.sendCode(undefined, { signal })),
    }),
    run: async ({ api, params: change }) => {
      await api.account.changePassword(change);
      await refreshAccess().catch(() => {}); // where a colleague's password was in the way, the panel opens now
    },
    done: (): Done => ({ stale: ['account'] }),
  }),
  defineCommand({ ...panelCommand, id: 'session.signOut', icon: 'log-out', confirm: true, run: ({ ui }) => ui.signOut() }),
];

/** The language the switch leads to, by its own name. */
export const otherLanguage = (): { locale: 'zh-CN' | 'en-US'; name: string } =>
  locale() === 'zh-CN' ? { locale: 'en-US', name: 'English' } : { locale: 'zh-CN', name: '中文' };
