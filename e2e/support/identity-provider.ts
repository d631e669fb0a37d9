import type { Page } from 'playwright/test';
import { forkIdentityProvider, type ProviderProcess } from '../../testing/identity-provider/process.ts';
import { findFreePort } from '../../chain/free-port.ts';

/** Starts on first use, and again on the same port after `stop`. */
export function createOwnProvider() {
  let ports: Promise<{ panel: number; provider: number }> | null = null;
  let running: Promise<ProviderProcess> | null = null;
  async function start(): Promise<ProviderProcess> {
    const { panel, provider } = await (ports ??= choosePorts());
    return await (running ??= forkIdentityProvider(`http://localhost:${panel}`, provider));
  }
  return {
    start,
    serverEnv: async () => {
      const { env } = await start();
      return { ...env, PORT: String((await ports)?.panel) };
    },
    stop: async () => {
      await (await running)?.stop();
      running = null;
    },
  };
}

const choosePorts = async () => ({ panel: await findFreePort(), provider: await findFreePort() });

/** On the provider's page, by keyboard. `null`: goes back there. */
export async function signInAtProvider(page: Page, person: 'Wei Zhang' | 'Noor Haddad' | null): Promise<void> {
  await page.waitForURL(/\/interaction\//);
  await page.getByRole('button', { name: person ?? 'Go back' }).press('Enter');
}

/** The provider's own session, as if the person had signed out there. It is on another host than the panel. */
export const forgetProvider = (page: Page) => page.context().clearCookies({ domain: '127.0.0.1' });
