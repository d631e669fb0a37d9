import { fork } from 'node:child_process';
import { join } from 'node:path';
import { root } from '../../scripts/setup.mjs';
import type { ProviderAccounts } from '../../testing/identity-provider/provider.ts';
import { onCleanup } from './cleanup.ts';

export interface IdentityProvider {
  issuer: string;
  /** Of the panel. */
  env: Record<string, string>;
  setPeople: (people: ProviderAccounts) => Promise<void>;
  /** As a person with a browser does. Returns the query that the provider sends back. */
  signIn: (url: string, subject: string | null) => Promise<string>;
  /** Ends the person's session there, which calls the panel's logout address. */
  stop: () => void;
}

const clientSecret = 'a-secret-for-tests-only';

/** In a process of its own. */
export async function startTestProvider(panelUrl = 'http://localhost:4280'): Promise<IdentityProvider> {
  const child = fork(join(root, 'testing/identity-provider/main.ts'), {
    execArgv: ['--import', 'tsx'],
    silent: true,
    env: { ...process.env, PORT: '0', CLIENT_ID: 'panel', CLIENT_SECRET: clientSecret, PANEL_URL: panelUrl },
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream?.setEncoding('utf8').on('data', (text: string) => (output += text));
  const stop = () => void child.kill();
  onCleanup(async () => stop());
  const issuer = await new Promise<string>((resolve, reject) => {
    child.once('message', (message: { issuer: string }) => resolve(message.issuer));
    child.once('exit', () => reject(new Error(`the provider ended: ${output}`)));
  });
  const setPeople = async (people: ProviderAccounts) => {
    await fetch(`${issuer}/control/people`, { method: 'POST', body: JSON.stringify(people) });
  };
  return {
    issuer,
    env: { SSO_ISSUER: issuer, SSO_CLIENT_ID: 'panel', SSO_CLIENT_SECRET: clientSecret, SSO_NAME: 'Test provider' },
    setPeople,
    signIn: (url, subject) => signInThere(url, subject),
    stop,
  };
}

async function signInThere(url: string, subject: string | null): Promise<string> {
  const cookies = new Map<string, string>();
  const request = async (address: string, init: RequestInit = {}) => {
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const response = await fetch(address, { ...init, redirect: 'manual', headers: { ...init.headers, cookie } });
    for (const line of response.headers.getSetCookie()) {
      const [name = '', value = ''] = (line.split(';')[0] ?? '').split('=', 2);
      cookies.set(name, value);
    }
    return response;
  };
  let address = url;
  for (let step = 0; step < 10; step += 1) {
    const isForm = new URL(address).pathname.startsWith('/interaction/');
    const body = new URLSearchParams(subject === null ? {} : { subject });
    const response = await request(address, isForm ? { method: 'POST', body } : {});
    const location = response.headers.get('location');
    if (location === null) throw new Error(`the provider answered ${response.status}: ${await response.text()}`);
    address = new URL(location, address).href;
    if (new URL(address).pathname === '/login') return new URL(address).search.slice(1);
  }
  throw new Error('the provider redirects without an end');
}
