import type { ProviderHealth } from '../../../../api/access/identity.ts';
import type { ProviderProblem } from '../../../../api/access/sign-in-values.ts';
import { FetchRefusedError } from '../../content/safe-fetch.ts';
import { isRecord } from '../../core/errors.ts';
import { memoizePerServer, type Services } from '../../services/context.ts';
import { requireSso } from './configured.ts';
import { clockToleranceSeconds, guardedFetchOf, lastAnswerOf } from './provider.ts';

const timeoutMs = 3000;
const cacheMs = 10_000;

type Check = Omit<ProviderHealth, 'lastAnswerAt'>;

const checksOf = memoizePerServer((): { current: { at: number; check: Promise<Check> } | null } => ({ current: null }));

/** Asks for the discovery document, at most once in ten seconds, and waits for three seconds at most. */
export async function readProviderHealth(services: Services): Promise<ProviderHealth> {
  const checks = checksOf(services);
  if (!checks.current || Date.now() - checks.current.at >= cacheMs)
    checks.current = { at: Date.now(), check: checkProvider(services) };
  const check = await checks.current.check;
  const { at } = lastAnswerOf(services);
  return { ...check, lastAnswerAt: at === null ? null : new Date(at).toISOString() };
}

async function checkProvider(services: Services): Promise<Check> {
  const { issuer } = requireSso(services);
  const checkedAt = new Date(services.now()).toISOString();
  const startedAt = Date.now();
  try {
    const response = await guardedFetchOf(services)(discoveryAddressOf(issuer), {
      headers: { accept: 'application/json', 'cache-control': 'no-cache' },
      signal: AbortSignal.timeout(timeoutMs),
    });
    const clockSeconds = measureClock(response.headers, startedAt, Date.now());
    const problem = response.ok ? findAnswerProblem(issuer, await response.text()) : 'STATUS';
    return {
      problem,
      status: response.ok ? null : response.status,
      checkedAt,
      clockSeconds,
      isClockOff: clockSeconds !== null && Math.abs(clockSeconds) > clockToleranceSeconds,
    };
  } catch (error) {
    return { problem: toProblem(error), status: null, checkedAt, clockSeconds: null, isClockOff: false };
  }
}

const discoveryAddressOf = (issuer: string): string => `${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`;

/** By the machine's clock. The header has whole seconds, so half a second is added. */
export function measureClock(headers: Headers, startedAt: number, endedAt: number): number | null {
  const date = Date.parse(headers.get('date') ?? '');
  const age = Number(headers.get('age') ?? 0);
  if (Number.isNaN(date) || !Number.isFinite(age)) return null;
  return Math.round((date + age * 1000 + 500 - (startedAt + endedAt) / 2) / 1000);
}

function findAnswerProblem(issuer: string, text: string): ProviderProblem | null {
  const document = parseJson(text);
  if (!isRecord(document) || typeof document['issuer'] !== 'string') return 'ANSWER';
  if (!URL.canParse(document['issuer']) || new URL(document['issuer']).href !== new URL(issuer).href) return 'ISSUER';
  const hasEndpoints = ['authorization_endpoint', 'token_endpoint', 'jwks_uri'].every(
    (name) => typeof document[name] === 'string',
  );
  return hasEndpoints ? null : 'ANSWER';
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

/** Of Node, undici and OpenSSL. */
const problemsByCode: readonly (readonly [RegExp, ProviderProblem])[] = [
  [/^(ENOTFOUND|EAI_AGAIN|ENODATA)$/, 'DNS'],
  [/CERT|SSL|TLS|SIGNATURE|^DEPTH_ZERO|^UNABLE_TO_/, 'TLS'],
  [/^(ETIMEDOUT|UND_ERR_CONNECT_TIMEOUT|UND_ERR_HEADERS_TIMEOUT|UND_ERR_BODY_TIMEOUT)$/, 'TIMEOUT'],
];

function toProblem(error: unknown): ProviderProblem {
  for (let cause = error, depth = 0; cause instanceof Error && depth < 8; cause = cause.cause, depth += 1) {
    if (cause instanceof FetchRefusedError && cause.reason === 'tooLarge') return 'ANSWER';
    if (cause.name === 'TimeoutError' || cause.name === 'AbortError') return 'TIMEOUT';
    const code = 'code' in cause ? String(cause.code) : '';
    const found = problemsByCode.find(([pattern]) => pattern.test(code));
    if (found) return found[1];
  }
  return 'CONNECTION';
}
