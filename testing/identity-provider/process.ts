import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { root } from '../../scripts/setup.mjs';
import type { ProviderAccounts } from './provider.ts';

export interface ProviderProcess {
  issuer: string;
  /** Of the panel. */
  env: Record<string, string>;
  setPeople: (people: ProviderAccounts) => Promise<void>;
  stop: () => Promise<void>;
}

const clientSecret = 'a-secret-for-tests-only';

/** A provider in a process of its own. `port` 0: a free one. */
export async function forkIdentityProvider(panelUrl: string, port = 0): Promise<ProviderProcess> {
  const child = fork(join(root, 'testing/identity-provider/main.ts'), {
    execArgv: ['--import', 'tsx'],
    silent: true,
    env: { ...process.env, PORT: String(port), CLIENT_ID: 'panel', CLIENT_SECRET: clientSecret, PANEL_URL: panelUrl },
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream?.setEncoding('utf8').on('data', (text: string) => (output += text));
  const issuer = await new Promise<string>((resolve, reject) => {
    child.once('message', (message: { issuer: string }) => resolve(message.issuer));
    child.once('exit', () => reject(new Error(`the provider ended: ${output}`)));
  });
  return {
    issuer,
    env: { SSO_ISSUER: issuer, SSO_CLIENT_ID: 'panel', SSO_CLIENT_SECRET: clientSecret, SSO_NAME: 'Test provider' },
    setPeople: async (people) => {
      await fetch(`${issuer}/control/people`, { method: 'POST', body: JSON.stringify(people) });
    },
    stop: async () => {
      if (child.exitCode !== null || child.signalCode !== null) return;
      const exit = once(child, 'exit');
      child.kill();
      await exit;
    },
  };
}
