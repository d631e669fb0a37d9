import { panelNames } from '../../../api/panel/names.ts';
import { addNames } from '../../lib/i18n/name-of.ts';
import { defineCommand, noTarget } from '../engine/define.ts';

addNames(panelNames);

/** Forms keep what was typed as drafts. */
export const reload = [
  defineCommand({
    id: 'panel.reload',
    permission: 'anyone',
    icon: 'refresh-cw',
    place: 'global',
    target: noTarget,
    params: null,
    danger: 'none',
    excludeFromHistory: true,
    keys: ['alt+r'],
    // After the caller has the outcome.
    run: () => void setTimeout(() => location.reload(), 100),
    done: () => ({ toast: null }),
  }),
];
