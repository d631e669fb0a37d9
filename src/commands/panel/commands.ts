import { locale } from '../../lib/i18n/i18n.ts';
import { bilingualName } from '../../lib/i18n/name-of.ts';
import { $viewAs } from '../../lib/session/session.ts';
import { notApplicable, globalCommand, defineCommand, blockedBecause } from '../engine/define.ts';
import { lastRun, lastUndoable } from '../engine/dispatch/history.ts';

const panelCommand = { ...globalCommand, params: null } as const;

export const panel = [
  defineCommand({ ...panelCommand, id: 'palette.open', icon: 'command', keys: ['mod+k'], run: ({ ui }) => ui.openPalette() }),
  defineCommand({ ...panelCommand, id: 'keys.help', icon: 'keyboard', keys: ['?'], run: ({ ui }) => ui.openKeys() }),
  defineCommand({ ...panelCommand, id: 'keys.single', icon: 'keyboard-off', run: ({ ui }) => ui.toggleSingleKeys() }),
  defineCommand({
    ...panelCommand,
    id: 'history.repeat',
    icon: 'repeat',
    keys: ['.'],
    when: () => lastRun() !== undefined || blockedBecause('palette.blocked.nothingToRepeat'),
    run: ({ ui }) => ui.repeat(),
  }),
  defineCommand({
    ...panelCommand,
    id: 'history.undo',
    icon: 'undo-2',
    keys: ['mod+z'],
    when: () => {
      const lastEntry = lastUndoable();
      if (!lastEntry) return blockedBecause('palette.blocked.nothingToUndo');
      return lastEntry.undo || lastEntry.instead
        ? true
        : blockedBecause('palette.blocked.cannotUndo', { what: bilingualName(lastEntry.invocation.id) });
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
    id: 'sidebar.toggle',
    icon: 'panel-left',
    keys: ['mod+b'],
    run: ({ ui }) => ui.toggleSidebar(),
  }),
  defineCommand({
    ...panelCommand,
    id: 'session.leaveView',
    icon: 'x',
    keys: ['shift+l'],
    when: () => $viewAs.get() !== null || notApplicable('shell.viewAs.notViewing'),
    run: async ({ ui }) => ui.navigate((await import('../../lib/session/view-as.ts')).leaveView()),
  }),
  defineCommand({ ...panelCommand, id: 'session.signOut', icon: 'log-out', confirm: true, run: ({ ui }) => ui.signOut() }),
];

/** In its own language. */
export const getOtherLanguage = (): { locale: 'zh-CN' | 'en-US'; name: string } =>
  locale() === 'zh-CN' ? { locale: 'en-US', name: 'English' } : { locale: 'zh-CN', name: '中文' };
