import { startIdentityProvider } from './provider.ts';

const {
  PORT = '0',
  CLIENT_ID = 'panel',
  CLIENT_SECRET = 'a-secret-for-tests-only',
  PANEL_URL = 'http://localhost:4280',
} = process.env;

const { issuer } = await startIdentityProvider({
  port: Number(PORT),
  clientId: CLIENT_ID,
  clientSecret: CLIENT_SECRET,
  panelUrl: PANEL_URL,
  isControlled: process.send !== undefined,
});
if (process.send) {
  process.send({ issuer });
  process.once('disconnect', () => process.exit());
} else
  console.log(`Identity provider: ${issuer}
Start the panel with SSO_ISSUER=${issuer} SSO_CLIENT_ID=${CLIENT_ID} SSO_CLIENT_SECRET=${CLIENT_SECRET} SSO_NAME="Test provider"`);
