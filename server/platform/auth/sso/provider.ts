import { decodeProtectedHeader } from 'jose';
import type * as OpenIdClient from 'openid-client';
import type { SsoFailure } from '../../../../api/access/sign-in-values.ts';
import { createGuardedFetch, type GuardedFetch } from '../../content/safe-fetch.ts';
import { isVisibleName } from '../../../../api/visible-text.ts';
import type { SsoConfig } from '../../core/config.ts';
import { createAppError, isRecord, type AppError } from '../../core/errors.ts';
import { memoizePerServer, type Services } from '../../services/context.ts';
import { requireSso } from './configured.ts';

/** Symmetric ones and `none` are left out: anyone who knows the client could sign. */
export const acceptedAlgorithms: readonly string[] = [
  'RS256',
  'RS384',
  'RS512',
  'PS256',
  'PS384',
  'PS512',
  'ES256',
  'ES384',
  'ES512',
  'EdDSA',
  'Ed25519',
];

/** Seconds. */
export const clockToleranceSeconds = 60;
const maxTokenAgeSeconds = 600;

const discoveryLifetimeMs = 3_600_000;
const failureLifetimeMs = 10_000;

/** Its cause is for the audit, never for the browser. */
export class SsoError extends Error {
  readonly reason: SsoFailure;
  readonly seconds: number | undefined;
  /** If the provider's answer was verified. */
  readonly subject: string | undefined;
  constructor(reason: SsoFailure, cause: string, { seconds, subject }: { seconds?: number | undefined; subject?: string } = {}) {
    super(cause);
    this.reason = reason;
    this.seconds = seconds;
    this.subject = subject;
  }
}

export const toSsoAppError = ({ reason, seconds }: SsoError, { name }: SsoConfig): AppError =>
  createAppError('SSO_FAILED', { reason, name, ...(seconds !== undefined && { seconds }) });

interface Provider {
  readonly client: typeof OpenIdClient;
  readonly configuration: OpenIdClient.Configuration;
}

export const guardedFetchOf = memoizePerServer((services): GuardedFetch => {
  const { config } = services;
  const issuer = new URL(requireSso({ config }).issuer);
  const guardedFetch = createGuardedFetch({
    httpsOnly: config.production && issuer.protocol === 'https:',
    trusted: new Set([issuer.origin]),
    timeout: 10_000,
  });
  return async (address, init) => {
    const response = await guardedFetch(address, init);
    if (response.ok) lastAnswerOf(services).at = services.now();
    return response;
  };
});

/** When the provider last answered this server. */
export const lastAnswerOf = memoizePerServer((): { at: number | null } => ({ at: null }));

const discoveriesOf = memoizePerServer((): { current: { at: number; provider: Promise<Provider> } | null } => ({
  current: null,
}));

/** One discovery at a time. A failure is remembered for ten seconds. Throws SsoError. */
export async function readProvider(services: Services): Promise<Provider> {
  const discoveries = discoveriesOf(services);
  const { current } = discoveries;
  if (current) {
    const hasFailed = await current.provider.then(
      () => false,
      () => true,
    );
    if (Date.now() - current.at < (hasFailed ? failureLifetimeMs : discoveryLifetimeMs)) return current.provider;
  }
  // Another request may have started one while this one waited.
  if (discoveries.current === current) discoveries.current = { at: Date.now(), provider: discover(services) };
  return (discoveries.current ?? { provider: discover(services) }).provider;
}

async function discover(services: Services): Promise<Provider> {
  const sso = requireSso(services);
  const client = await import('openid-client'); // takes seven milliseconds
  const issuer = new URL(sso.issuer);
  const customFetch = guardedFetchOf(services) as OpenIdClient.CustomFetch;
  const execute = issuer.protocol === 'http:' ? [client.allowInsecureRequests] : [];
  try {
    const discovered = await client.discovery(issuer, sso.clientId, undefined, client.None(), {
      [client.customFetch]: customFetch,
      timeout: 10,
      execute,
    });
    const { supportsPKCE: _supportsPkce, ...metadata } = discovered.serverMetadata();
    if (new URL(metadata.issuer).href !== issuer.href) throw new SsoError('BAD_ANSWER', 'discovery names another issuer');
    const algorithms = (metadata.id_token_signing_alg_values_supported ?? ['RS256']).filter((name) =>
      acceptedAlgorithms.includes(name),
    );
    if (algorithms.length === 0) throw new SsoError('BAD_ANSWER', 'the provider offers no accepted signing algorithm');
    const configuration = new client.Configuration(
      { ...metadata, id_token_signing_alg_values_supported: algorithms },
      sso.clientId,
      { [client.clockTolerance]: clockToleranceSeconds },
      authenticationOf(client, sso, metadata.token_endpoint_auth_methods_supported),
    );
    configuration[client.customFetch] = customFetch;
    configuration.timeout = 10;
    for (const enable of [...execute, client.enableNonRepudiationChecks]) enable(configuration);
    return { client, configuration };
  } catch (error) {
    throw toSsoError(error);
  }
}

function authenticationOf(
  client: typeof OpenIdClient,
  { clientSecret }: SsoConfig,
  supportedMethods: readonly string[] | undefined,
): OpenIdClient.ClientAuth {
  if (clientSecret === null) return client.None();
  return supportedMethods === undefined || supportedMethods.includes('client_secret_basic')
    ? client.ClientSecretBasic(clientSecret)
    : client.ClientSecretPost(clientSecret);
}

export interface SsoRequest {
  state: string;
  nonce: string;
  verifier: string;
  /** Asks for a sign-in at the provider now. */
  isRenewed: boolean;
}

export async function buildSsoUrl(
  services: Services,
  { state, nonce, verifier, isRenewed }: SsoRequest,
  loginHint: string | undefined,
): Promise<string> {
  const sso = requireSso(services);
  const { client, configuration } = await readProvider(services);
  const parameters = {
    redirect_uri: redirectAddressOf(services),
    response_type: 'code',
    scope: sso.scopes,
    state,
    nonce,
    code_challenge: await client.calculatePKCECodeChallenge(verifier),
    code_challenge_method: 'S256',
    ...(sso.acrValues !== null && { acr_values: sso.acrValues }),
    ...(isRenewed && { max_age: '0' }),
    ...(loginHint !== undefined && { login_hint: loginHint }),
  };
  try {
    return client.buildAuthorizationUrl(configuration, parameters).href;
  } catch (error) {
    throw toSsoError(error); // discovery named an address that is not https
  }
}

const redirectAddressOf = ({ config }: Services) => `${config.publicUrl}/login`;

/** Of a person whom the provider has just signed in. */
export interface VerifiedIdentity {
  issuer: string;
  subject: string;
  email: string | null;
  /** Whether `email` counts as verified (SSO_EMAIL). */
  isEmailVerified: boolean;
  displayName: string | null;
  /** Null without SSO_GROUPS_CLAIM. */
  groups: string[] | null;
  /** SCIM's `externalId`. */
  externalId: string | null;
  /** `sid`. */
  sessionId: string | null;
  /** Milliseconds since 1970, by the machine's clock. */
  authenticatedAt: number | null;
  acr: string | null;
  amr: string[];
  idToken: string;
}

/** Exchanges the code, once, and checks the answer. Throws SsoError. */
export async function verifyAnswer(
  services: Services,
  parameters: URLSearchParams,
  { state, nonce, verifier, isRenewed }: SsoRequest,
): Promise<VerifiedIdentity> {
  const sso = requireSso(services);
  try {
    const { client, configuration } = await readProvider(services);
    const address = new URL(redirectAddressOf(services));
    address.search = parameters.toString();
    const tokens = await client.authorizationCodeGrant(configuration, address, {
      expectedState: state,
      expectedNonce: nonce,
      pkceCodeVerifier: verifier,
      idTokenExpected: true,
      ...(isRenewed && { maxAge: maxTokenAgeSeconds }),
    });
    const claims = tokens.claims();
    if (!claims || tokens.id_token === undefined) throw new SsoError('BAD_ANSWER', 'there is no ID token');
    checkIdToken(sso, claims, tokens.id_token);
    const isIncomplete =
      typeof claims['email'] !== 'string' || (sso.groupsClaim !== null && claims[sso.groupsClaim] === undefined);
    const hasUserInfo = configuration.serverMetadata().userinfo_endpoint !== undefined;
    const userInfo =
      isIncomplete && hasUserInfo ? await client.fetchUserInfo(configuration, tokens.access_token, claims.sub) : {};
    return readIdentity(sso, claims, userInfo, tokens.id_token);
  } catch (error) {
    throw toSsoError(error);
  }
}

type Claims = Readonly<Record<string, unknown>>;

/** What openid-client leaves to its caller. By the machine's clock, because QA may move the panel's. */
function checkIdToken(sso: SsoConfig, claims: Claims, idToken: string): void {
  const { alg } = decodeProtectedHeader(idToken);
  if (alg === undefined || !acceptedAlgorithms.includes(alg)) throw new SsoError('BAD_ANSWER', `signing algorithm ${alg}`);
  const { iat, sub, azp, aud } = claims;
  if (typeof sub !== 'string' || sub === '' || sub.length > 255)
    throw new SsoError('BAD_ANSWER', 'the subject is empty or too long');
  if (azp !== undefined && azp !== sso.clientId) throw new SsoError('BAD_ANSWER', 'azp is another client');
  if (Array.isArray(aud) && aud.length > 1 && azp === undefined)
    throw new SsoError('BAD_ANSWER', 'several audiences without azp');
  if (typeof iat !== 'number') throw new SsoError('BAD_ANSWER', 'there is no iat');
  const age = Math.round(Date.now() / 1000 - iat);
  if (age < -clockToleranceSeconds) throw new SsoError('CLOCK', 'iat is ahead', { seconds: -age });
  if (age > maxTokenAgeSeconds) throw new SsoError('CLOCK', 'iat is old', { seconds: age });
}

/** `userInfo`: empty if the ID token has all that is needed. */
function readIdentity(sso: SsoConfig, claims: Claims, userInfo: Claims, idToken: string): VerifiedIdentity {
  const allClaims = { ...userInfo, ...claims };
  const subject = textOf(claims[sso.subjectClaim], 255);
  if (subject === null) throw new SsoError('BAD_ANSWER', `the claim ${sso.subjectClaim} is missing or not a text`);
  const email = visibleTextOf(allClaims['email'], 254);
  // The two sources may name different emails.
  const isVerified = [claims, userInfo].some((source) => source['email'] === email && source['email_verified'] === true);
  const authTime = claims['auth_time'];
  return {
    issuer: sso.issuer,
    subject,
    email,
    isEmailVerified: email !== null && (sso.email === 'trusted' || isVerified),
    displayName: visibleTextOf(allClaims['name'], 200),
    groups: readGroups(sso, allClaims, subject),
    externalId: textOf(allClaims[sso.scimClaim], 255),
    sessionId: textOf(claims['sid'], 255),
    authenticatedAt: typeof authTime === 'number' ? authTime * 1000 : null,
    acr: textOf(claims['acr'], 255),
    amr: listOf(claims['amr']),
    idToken,
  };
}

/** Entra leaves the groups out above 200 and points at an API instead. */
function readGroups({ groupsClaim }: SsoConfig, claims: Claims, subject: string): string[] | null {
  if (groupsClaim === null) return null;
  const claimNames = claims['_claim_names'];
  if (claims['hasgroups'] !== undefined || (isRecord(claimNames) && (groupsClaim in claimNames || 'groups' in claimNames)))
    throw new SsoError('TOO_MANY_GROUPS', 'the groups were left out', { subject });
  return listOf(claims[groupsClaim]);
}

const listOf = (value: unknown): string[] =>
  (Array.isArray(value) ? value : [value]).flatMap((item) => textOf(item, 300) ?? []).slice(0, 1000);

/** Null for text that PostgreSQL cannot store, or would store as another text. */
export const textOf = (value: unknown, maxLength: number): string | null =>
  typeof value === 'string' && value !== '' && value.length <= maxLength && !/[\uD800-\uDFFF\0]/u.test(value) ? value : null;

/** Null for text that people would see as another one. */
function visibleTextOf(value: unknown, maxLength: number): string | null {
  const text = textOf(value, maxLength)?.normalize('NFC').trim() ?? null;
  return text !== null && text !== '' && isVisibleName(text) ? text : null;
}

const deniedErrors = new Set([
  'access_denied',
  'login_required',
  'interaction_required',
  'consent_required',
  'account_selection_required',
]);

/** Sorts an error of openid-client. */
export function toSsoError(error: unknown): SsoError {
  if (error instanceof SsoError) return error;
  const codes = [...causesOf(error)];
  // The message of a SyntaxError repeats part of the answer.
  const texts = codes
    .filter((cause) => !(cause instanceof SyntaxError))
    .map(({ message }) => message)
    .join(': ')
    .slice(0, 300);
  const codeOf = (cause: Error) => ('code' in cause ? String(cause.code) : '');
  const clockError = codes.find((cause) => codeOf(cause) === 'OAUTH_JWT_TIMESTAMP_CHECK_FAILED' && isRecord(cause.cause));
  if (clockError) return new SsoError('CLOCK', texts, { seconds: readClockGap(clockError.cause) });
  const isRefusedByProvider = codes.find((cause) => codeOf(cause) === 'OAUTH_AUTHORIZATION_RESPONSE_ERROR');
  if (isRefusedByProvider) {
    const errorName = 'error' in isRefusedByProvider ? String(isRefusedByProvider.error) : '';
    return new SsoError(
      deniedErrors.has(errorName)
        ? 'DENIED'
        : ['server_error', 'temporarily_unavailable'].includes(errorName)
          ? 'NO_ANSWER'
          : 'BAD_ANSWER',
      `the provider answered ${errorName.slice(0, 100)}`,
    );
  }
  const isUnanswered = codes.some(
    (cause) =>
      ['OAUTH_TIMEOUT', 'OAUTH_ABORT'].includes(codeOf(cause)) ||
      ('reason' in cause && cause.reason === 'unreachable') ||
      ('reason' in cause && cause.reason === 'tooLarge'),
  );
  const status = codes.map((cause) => (cause.cause instanceof Response ? cause.cause.status : 0)).find((value) => value > 0) ?? 0;
  return new SsoError(isUnanswered || status >= 500 ? 'NO_ANSWER' : 'BAD_ANSWER', texts || 'unknown');
}

function* causesOf(error: unknown): Generator<Error> {
  for (let cause = error, depth = 0; cause instanceof Error && depth < 8; cause = cause.cause, depth += 1) yield cause;
}

function readClockGap(cause: unknown): number | undefined {
  if (!isRecord(cause) || !isRecord(cause['claims'])) return undefined;
  const value = cause['claims'][String(cause['claim'])];
  return typeof value === 'number' ? Math.abs(Math.round(Date.now() / 1000 - value)) : undefined;
}
