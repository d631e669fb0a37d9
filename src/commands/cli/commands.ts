import { cliNames } from '../../../api/cli/names.ts';
import { addNames } from '../../lib/i18n/name-of.ts';
import { defineCommand, noTarget, type CommandResult } from '../engine/define.ts';
import { paramSpec } from '../engine/fields.ts';

addNames(cliNames);

export const cli = [
  defineCommand({
    id: 'cli.approve',
    permission: 'anyone',
    icon: 'square-terminal',
    place: '/account',
    target: noTarget,
    params: paramSpec(() => import('../../../api/cli/contract.ts').then(({ cliChallenge }) => cliChallenge), {
      challenge: { as: 'text', label: 'cli.field.challenge', hint: 'cli.challengeHint' },
    }),
    danger: 'irreversible',
    oneStep: true,
    panel: 'cli',
    requiresPanelApproval: true,
    excludeFromHistory: true,
    run: async ({ api, ui, params }) => {
      const approved = await api.cli.approve(params);
      const { code, port } = approved;
      const address = port === null ? null : `http://127.0.0.1:${port}/${params.challenge}?code=${code}`;
      ui.openFactor({ kind: 'cliCode', code, address });
      return approved;
    },
    done: (): CommandResult => ({ stale: ['account'] }),
  }),
];
