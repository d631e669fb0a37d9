import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { demoAccounts, demoPassword, type RoleName } from '../seed/roles.ts';
import { build } from '../../testing/factories/build.ts';

export type Session = Record<'authorization' | 'cookie', string>;

export async function signInAt(origin: string, role: RoleName): Promise<Session> {
  const email = demoAccounts.find((account) => account.role === role)?.email;
  const response = await fetch(`${origin}/api/session`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email, password: demoPassword }),
  });
  if (response.status !== 200) throw new Error(`sign-in answered ${response.status}`);
  const { authorization } = (await response.json()) as { authorization: string };
  return { authorization, cookie: response.headers.get('set-cookie')?.split(';')[0] ?? '' };
}

export const postAs = (origin: string, session: Session, path: string, key: string, body: unknown) =>
  fetch(`${origin}${path}`, {
    method: 'POST',
    headers: { ...session, 'content-type': 'application/json', 'idempotency-key': key.replaceAll(' ', '-') },
    body: JSON.stringify(body),
    signal: AbortSignal.timeout(30_000),
  });

/** The title is also the idempotency key. */
export const addNews = (origin: string, session: Session, title: string) =>
  postAs(origin, session, '/api/news', title, build.newsFields({ title }));

/** One berry. The reason is also the idempotency key. */
export const addPoints = (origin: string, session: Session, reason: string) =>
  postAs(origin, session, '/api/points', reason, build.pointsFields({ berries: '1', reason }));

export async function readWrittenTexts(url: string, from: 'news.title' | 'points.reason', prefix: string): Promise<string[]> {
  const [table, column] = from.split('.');
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    const { rows } = await client.query<{ text: string }>(
      `select ${column} as text from ${table} where ${column} like $1 order by 1`,
      [`${prefix}%`],
    );
    return rows.map(({ text }) => text);
  } finally {
    await client.end();
  }
}

export interface CallOutcome {
  readonly sent: readonly string[];
  readonly acknowledged: readonly string[];
  readonly refused: readonly string[];
  readonly silenceMs: number;
}

type SendText = (origin: string, session: Session, text: string) => Promise<Response>;

/** Each writer repeats a request with its key until it is accepted, like a browser. */
export function startWriters(origins: readonly string[], session: Session, sendFunctions: readonly SendText[], name: string) {
  const [sent, acknowledged, refused]: string[][] = [[], [], []];
  let isStopped = false;
  let lastSuccessAt = Date.now();
  let silenceMs = 0;
  const runWriter = async (send: SendText, writerIndex: number) => {
    for (let stepNumber = 0; !isStopped; stepNumber++) {
      const text = `${name} ${writerIndex}-${stepNumber}`;
      sent?.push(text);
      for (let attemptNumber = 0; ; attemptNumber++) {
        const origin = origins[(writerIndex + attemptNumber) % origins.length] ?? '';
        const status = await send(origin, session, text).then(
          (response) => response.status,
          (error: unknown) => String(error),
        );
        if (status === 200) {
          acknowledged?.push(text);
          silenceMs = Math.max(silenceMs, Date.now() - lastSuccessAt);
          lastSuccessAt = Date.now();
          break;
        }
        refused?.push(`${text}: ${status}`);
        if (isStopped) return;
        await sleep(100);
      }
      await sleep(10);
    }
  };
  const pendingWriters = Promise.all(sendFunctions.map(runWriter));
  return {
    stop: async (): Promise<CallOutcome> => {
      isStopped = true;
      await pendingWriters;
      return { sent: sent ?? [], acknowledged: acknowledged ?? [], refused: refused ?? [], silenceMs };
    },
    acknowledged: () => acknowledged?.length ?? 0,
  };
}
