import { forkIdentityProvider, type ProviderProcess } from '../../testing/identity-provider/process.ts';
import { onCleanup } from './cleanup.ts';

export interface IdentityProvider extends Omit<ProviderProcess, 'stop'> {
  /** As a person with a browser does. Returns the query that the provider sends back. */
  signIn: (url: string, subject: string | null) => Promise<string>;
  stop: () => void;
}

/** In a process of its own. */
export async function startTestProvider(panelUrl = 'http://localhost:4280'): Promise<IdentityProvider> {
  const provider = await forkIdentityProvider(panelUrl);
  onCleanup(provider.stop);
  return { ...provider, signIn: (url, subject) => signInThere(url, subject), stop: () => void provider.stop() };
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
