import { allNames } from '../../../api/all-names.ts';
import type { ErrorCode } from '../../../api/errors.ts';
import type { CommandId } from '../../../api/names.ts';
import type { Actor, RequestContext, Services } from '../services/context.ts';
import { createFieldError } from '../core/errors.ts';
import { newId } from '../core/ids.ts';
import { readClientIp, type Peer } from './network.ts';
import { findSession } from '../auth/sign-in/sessions.ts';

export interface CallTrace {
  called: boolean;
  whole: boolean;
  actor: string | null;
  retryAfter: number | null;
  route: string | null;
  code: ErrorCode | null;
}

const createTrace = (): CallTrace => ({
  called: false,
  whole: false,
  actor: null,
  retryAfter: null,
  route: null,
  code: null,
});

/** A client's request id could forge log lines. */
export function createContext(services: Services, request: Request, peer: Peer | undefined) {
  const { headers } = request;
  const requestId = newId();
  const trace = createTrace();
  const context: RequestContext & { trace: CallTrace } = {
    services,
    db: services.database.db,
    requestId,
    log: services.log.child({ requestId }),
    ip: readClientIp(headers, peer, services.config.trustProxy),
    userAgent: (headers.get('user-agent') ?? '').slice(0, 300),
    headers,
    answer: new Headers(),
    command: parseCommand(headers.get('x-command')),
    idempotencyKey: headers.get('idempotency-key'),
    session: createActorReader(() => context, trace),
    actor: null,
    route: null,
    trace,
  };
  return context;
}

function createActorReader(readContext: () => RequestContext, trace: CallTrace): () => Promise<Actor | null> {
  let pendingActor: Promise<Actor | null> | null = null;
  return () =>
    (pendingActor ??= findSession(readContext()).then((actor) => {
      trace.actor = actor?.id ?? null;
      return actor;
    }));
}

interface AnsweredRequest {
  readonly method: string;
  readonly path: string;
  readonly status: number;
  /** `performance.now()`. */
  readonly began: number;
}

/** Anonymous routes omit the address. */
export function recordRequest(
  { services, trace, requestId, log, ip }: RequestContext & { trace: CallTrace },
  { method, path, status, began: startTime }: AnsweredRequest,
  isAnonymous = false,
): void {
  const durationMs = performance.now() - startTime;
  services.meter?.request(trace.route ?? 'none', trace.code ?? 'OK', durationMs / 1000, requestId);
  log[isRoutineRequest(trace.route, path) && status < 500 ? 'debug' : 'info'](
    {
      method,
      path: path.slice(0, 200),
      status,
      ms: Math.round(durationMs * 10) / 10,
      ...(isAnonymous ? {} : { ip }),
      actor: trace.actor,
    },
    'request',
  );
}

const isRoutineRequest = (route: string | null, path: string): boolean =>
  route === 'GET /*' || path === '/readyz' || path === '/healthz' || path.startsWith('/dev/');

const parseCommand = (value: string | null): CommandId | null =>
  value !== null && Object.hasOwn(allNames, value) ? (value as CommandId) : null;

/** 1 to 64 printable characters. Throws BAD_REQUEST. */
export function checkIdempotencyKey(key: string | null): void {
  if (key !== null && !/^[\x21-\x7e]{1,64}$/.test(key)) throw createFieldError('Idempotency-Key');
}
