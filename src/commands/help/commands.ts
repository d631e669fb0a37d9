import { helpNames } from '../../../api/help/names.ts';
import { helpPathOf } from '../../lib/help/address.ts';
import { addNames } from '../../lib/i18n/name-of.ts';
import { globalCommand, defineCommand } from '../engine/define.ts';

addNames(helpNames);

export const help = [
  defineCommand({
    ...globalCommand,
    id: 'go.help',
    icon: 'circle-question-mark',
    params: null,
    keys: ['g ?'],
    run: ({ ui }) => ui.navigate(helpPathOf(new URL(ui.here(), ui.origin()).pathname)),
  }),
];
