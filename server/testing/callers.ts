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

export async function writtenReasons(url: string, from: 'news.title' | 'points.reason', beginning: string): Promise<string[]> {
  const [table, column] = from.split('.');
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    const { rows } = await client.query<{ text: string }>(
      `select ${column} as text from ${table} where ${column} like $1 order by 1`,
      [`${beginning}%`],
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

type Send = (origin: string, session: Session, text: string) => Promise<Response>;

/** Each writer repeats a request with its key until it is accepted, like a browser. */
export function startWriters(origins: readonly string[], session: Session, sends: readonly Send[], name: string) {
  const [sent, acknowledged, refused]: string[][] = [[], [], []];
  let over = false;
  let last = Date.now();
  let silenceMs = 0;
  const writer = async (send: Send, who: number) => {
    for (let step = 0; !over; step++) {
      const text = `${name} ${who}-${step}`;
      sent?.push(text);
      for (let attempt = 0; ; attempt++) {
        const origin = origins[(who + attempt) % origins.length] ?? '';
        const status = await send(origin, session, text).then(
          (answer) => answer.status,
          (error: unknown) => String(error),
        );
        if (status === 200) {
          acknowledged?.push(text);
          silenceMs = Math.max(silenceMs, Date.now() - last);
          last = Date.now();
          break;
        }
        refused?.push(`${text}: ${status}`);
        if (over) return;
        await sleep(100);
      }
      await sleep(10);
    }
  };
  const work = Promise.all(sends.map(writer));
  return {
    stop: async (): Promise<CallOutcome> => {
      over = true;
      await work;
      return { sent: sent ?? [], acknowledged: acknowledged ?? [], refused: refused ?? [], silenceMs };
    },
    acknowledged: () => acknowledged?.length ?? 0,
  };
}
