import { createHash, randomBytes } from 'node:crypto';
import { eq } from 'drizzle-orm';
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { contract } from '../../api/contract.ts';
import { listContractRoutes } from '../../api/route.ts';
import { build } from '../../testing/factories/build.ts';
import { createStore } from '../../testing/factories/store.ts';
import { audit } from '../platform/audit/tables.ts';
import { isBrowserOnly } from '../platform/auth/rights/guarded-rights.ts';
import { administrators, challenges, sessions } from '../platform/auth/tables.ts';
import { idempotency } from '../platform/records/tables.ts';
import { createApi, createPeer, createTestApp, send, signInAs, type TestApp, type TestSession } from '../testing/support.ts';

let app: TestApp;
let browser: TestSession;

beforeAll(async () => {
  app = await createTestApp({ LIMITS: 'off' }, { jobs: false });
});
beforeEach(async () => {
  await app.database.pool.query('delete from rate_limits');
  browser = await signInAs(app, 'all');
});

interface Terminal {
  verifier: string;
  challenge: string;
}

function createTerminal(): Terminal {
  const verifier = randomBytes(32).toString('base64url');
  return { verifier, challenge: createHash('sha256').update(verifier).digest('base64url') };
}

const post = (path: string, body: unknown, headers: Record<string, string> = {}) =>
  send(app, 'POST', `/api/cli/${path}`, body, headers);

async function startLogin({ name = 'build-01', port = null as number | null } = {}): Promise<Terminal> {
  const terminal = createTerminal();
  expect((await post('start', { challenge: terminal.challenge, name, port })).status).toBe(200);
  return terminal;
}

async function approve({ challenge }: Terminal, session = browser): Promise<string> {
  return (await session.api.cli.approve({ challenge })).code;
}

const exchange = ({ verifier }: Terminal, code: string) => post('exchange', { verifier, code });

async function logIn(session = browser): Promise<TestSession & { access: { browserOnly?: { code: string }[] } }> {
  const terminal = await startLogin();
  const response = await exchange(terminal, await approve(terminal, session));
  expect(response.status).toBe(200);
  const { authorization, access } = await response.json();
  const headers = { authorization, cookie: response.headers.get('set-cookie')?.split(';')[0] ?? '' };
  return { headers, api: createApi(app, headers), access };
}

const codeOf = async (response: Response) => [response.status, ((await response.json()) as { code: string }).code];

describe('panel login', () => {
  test('gives the terminal a session of at most eight hours, which the person sees and the audit names', async () => {
    const terminal = await startLogin({ name: 'build-01' });
    expect(await browser.api.cli.request({ challenge: terminal.challenge })).toMatchObject({
      name: 'build-01',
      port: null,
      terminalIp: '127.0.0.1',
      browserIp: '127.0.0.1',
      hours: 8,
    });
    const code = await approve(terminal);
    const response = await exchange(terminal, code);
    const { authorization, access, expiresAt } = await response.json();
    expect(access).toMatchObject({ email: 'admin@demo.local' });
    expect(new Date(expiresAt).getTime()).toBe(app.clock.now + 8 * 3_600_000);
    const setCookie = response.headers.get('set-cookie') ?? '';
    expect(setCookie).toContain('Max-Age=28800');
    const terminalApi = createApi(app, { authorization, cookie: setCookie.split(';')[0] ?? '' });
    const added = await terminalApi.news.add(build.newsFields({ title: 'from a terminal' }));
    expect(added.title).toBe('from a terminal');
    const { sessions: own } = await browser.api.account.get();
    const listed = own.find(({ method }) => method === 'cli');
    expect(listed).toMatchObject({ userAgent: 'panel-cli/build-01', current: false });
    const entries = await app.database.db.select().from(audit).where(eq(audit.entity, 'session'));
    expect(
      entries
        .filter(({ route }) => route.startsWith('cli.'))
        .map(({ route, actorEmail }) => [route, actorEmail])
        .toSorted(),
    ).toEqual([
      ['cli.approve', 'admin@demo.local'],
      ['cli.exchange', 'admin@demo.local'],
    ]);
    app.clock.now += 8 * 3_600_000 + 1;
    expect(
      (await send(app, 'GET', '/api/session', undefined, { authorization, cookie: setCookie.split(';')[0] ?? '' })).status,
    ).toBe(401);
  });

  test('reads the code without hyphens, in lower case, and with letters that look alike', async () => {
    const terminal = await startLogin();
    const code = await approve(terminal);
    const typed = code.replaceAll('-', ' ').replaceAll('0', 'o').replaceAll('1', 'l').toLowerCase();
    expect((await exchange(terminal, typed)).status).toBe(200);
  });

  test('refuses the code of another terminal, which still works in its own', async () => {
    const [victim, attacker] = [await startLogin(), await startLogin()];
    const code = await approve(victim);
    await approve(attacker);
    expect(await codeOf(await exchange(attacker, code))).toEqual([401, 'CODE_WRONG']);
    expect(await codeOf(await exchange(createTerminal(), code))).toEqual([410, 'ATTEMPT_GONE']);
    expect((await exchange(victim, code)).status).toBe(200);
  });

  test('refuses a code before the approval, and the second use of a code', async () => {
    const terminal = await startLogin();
    expect(await codeOf(await exchange(terminal, '00000-00000-00000-00000'))).toEqual([401, 'CODE_WRONG']);
    const code = await approve(terminal);
    const both = await Promise.all([exchange(terminal, code), exchange(terminal, code)]);
    expect(both.map(({ status }) => status).toSorted()).toEqual([200, 410]);
    expect(await codeOf(await exchange(terminal, code))).toEqual([410, 'ATTEMPT_GONE']);
  });

  test('refuses a code after two minutes, and a request after ten', async () => {
    const terminal = await startLogin();
    const code = await approve(terminal);
    const late = await startLogin();
    app.clock.now += 120_001;
    expect(await codeOf(await exchange(terminal, code))).toEqual([410, 'ATTEMPT_GONE']);
    app.clock.now += 480_000;
    browser = await signInAs(app, 'all');
    await expect(browser.api.cli.request({ challenge: late.challenge })).rejects.toMatchObject({ code: 'ATTEMPT_GONE' });
    await expect(approve(late)).rejects.toMatchObject({ code: 'ATTEMPT_GONE' });
  });

  test('approves a request only once when two people approve it', async () => {
    const terminal = await startLogin();
    const editor = await signInAs(app, 'editor');
    const outcomes = await Promise.allSettled([approve(terminal), approve(terminal, editor)]);
    expect(outcomes.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected']);
    await expect(browser.api.cli.request({ challenge: terminal.challenge })).rejects.toMatchObject({ code: 'ATTEMPT_GONE' });
  });

  test('asks again for the password or second factor after five minutes', async () => {
    const terminal = await startLogin();
    app.clock.now += 5 * 60_000;
    await expect(approve(terminal)).rejects.toMatchObject({ code: 'FACTOR_STALE' });
  });

  test('refuses an unknown challenge and one that was started twice', async () => {
    await expect(approve(createTerminal())).rejects.toMatchObject({ code: 'ATTEMPT_GONE' });
    const { challenge } = await startLogin();
    expect(await codeOf(await post('start', { challenge, name: 'other', port: null }))).toEqual([410, 'ATTEMPT_GONE']);
  });

  test.each([
    ['empty', ''],
    ['too long', 'x'.repeat(65)],
    ['with a line break', 'a\nb'],
    ['with reversed text', 'a\u202Eb'],
    ['with an invisible letter', 'a\u200Bb'],
    ['with a NUL', 'a\u0000b'],
    ['with two spaces', 'a  b'],
  ])('refuses a machine name that is %s', async (_, name) => {
    expect((await post('start', { challenge: createTerminal().challenge, name, port: null })).status).toBe(400);
  });

  test.each([80, 0, -1, 65_536, 1.5, '4000'])('refuses the port %s', async (port) => {
    expect((await post('start', { challenge: createTerminal().challenge, name: 'x', port })).status).toBe(400);
  });

  test('shows the address of a terminal on another network', async () => {
    const { challenge } = createTerminal();
    const request = new Request('http://localhost/api/cli/start', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ challenge, name: 'elsewhere', port: null }),
    });
    expect((await app.http.fetch(request, createPeer('203.0.113.7'))).status).toBe(200);
    expect(await browser.api.cli.request({ challenge })).toMatchObject({ terminalIp: '203.0.113.7', browserIp: '127.0.0.1' });
  });

  test('is not approved from a page of another site, and not by a service token', async () => {
    const { challenge } = await startLogin();
    const foreign = { ...browser.headers, origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' };
    expect((await post('approve', { challenge }, foreign)).status).toBe(403);
    const [owner] = await app.database.db.select().from(administrators).where(eq(administrators.email, 'access@demo.local'));
    const { text } = await createStore(app.database.db).serviceToken({ owners: [owner?.id ?? ''], scopes: ['/news'] });
    for (const path of ['request', 'approve'])
      expect(await codeOf(await post(path, { challenge }, { authorization: `Bearer ${text}` }))).toEqual([
        403,
        'NOT_FOR_SERVICES',
      ]);
    expect((await post('approve', { challenge })).status).toBe(401);
  });

  test.each([
    ['the approving session ends', () => browser.api.session.signOut()],
    [
      'the person is disabled',
      () => app.database.db.update(administrators).set({ enabled: false }).where(eq(administrators.email, 'admin@demo.local')),
    ],
  ])('refuses the code when %s after the approval', async (_, end) => {
    const terminal = await startLogin();
    const code = await approve(terminal);
    await end();
    const response = await exchange(terminal, code);
    await app.database.db.update(administrators).set({ enabled: true });
    expect(await codeOf(response)).toEqual([410, 'ATTEMPT_GONE']);
  });

  test('never stores the code or the verifier, and a repeated Idempotency-Key does not return the code', async () => {
    const terminal = await startLogin();
    const key = { ...browser.headers, 'idempotency-key': 'once' };
    const first = await (await post('approve', { challenge: terminal.challenge }, key)).json();
    expect(await codeOf(await post('approve', { challenge: terminal.challenge }, key))).toEqual([410, 'ATTEMPT_GONE']);
    expect((await exchange(terminal, first.code)).status).toBe(200);
    const { db } = app.database;
    const stored = JSON.stringify([
      await db.select().from(challenges),
      await db.select().from(audit),
      await db.select().from(idempotency),
      await db.select().from(sessions),
    ]);
    expect(stored).toContain(terminal.challenge);
    for (const secret of [first.code, first.code.replaceAll('-', ''), terminal.verifier]) expect(stored).not.toContain(secret);
  });

  test('is limited per network, for requests and for codes', async () => {
    const statuses: number[] = [];
    for (let call = 0; call < 31; call++)
      statuses.push((await post('start', { challenge: createTerminal().challenge, name: 'x', port: null })).status);
    expect(statuses).toEqual([...Array<number>(30).fill(200), 429]);
    const guesses: number[] = [];
    for (let call = 0; call < 31; call++) guesses.push((await exchange(createTerminal(), 'wrong')).status);
    expect(guesses).toEqual([...Array<number>(30).fill(410), 429]);
  });
});

describe('a session of panel login', () => {
  test('is refused every guarded and fresh function, and every change of sign-in methods', async () => {
    const { headers, access } = await logIn();
    expect(access.browserOnly?.map(({ code }) => code)).toEqual(
      expect.arrayContaining(['administrators.add', 'deposits.confirm', 'news.show', 'points.adjust', 'audit.export']),
    );
    const wrong: string[] = [];
    for (const { name, meta } of listContractRoutes(contract)) {
      if (meta.public || name === 'session.signOut') continue;
      const response = await send(app, 'POST', `/rpc/${name.replaceAll('.', '/')}`, { json: {} }, headers);
      const { json } = (await response.json()) as { json: { code?: string } };
      const isRefused = json?.code === 'NOT_HERE';
      const mustBeRefused = meta.permission
        ? isBrowserOnly(meta.permission)
        : /^(wallet|cli)\.|^account\.(?!get$|endSession$|endOtherSessions$)|^crsm\.sent$/.test(name);
      if (isRefused !== mustBeRefused) wrong.push(`${name} ${response.status} ${json?.code}`);
    }
    expect(wrong).toEqual([]);
    expect(await codeOf(await send(app, 'GET', '/api/audit/export/x', undefined, headers))).toEqual([403, 'NOT_HERE']);
  });

  test('answers FORBIDDEN for a guarded function that the person does not hold', async () => {
    const { headers } = await logIn(await signInAs(app, 'editor'));
    expect(await codeOf(await send(app, 'POST', '/api/roles', {}, headers))).toEqual([403, 'FORBIDDEN']);
  });

  test('can’t publish by editing a shown item', async () => {
    const { api } = await logIn();
    const shown = await createStore(app.database.db).news({ shown: true, image: 'https://example.com/a.png' });
    const edit = { ...build.newsFields({ title: 'other' }), id: shown.id, version: shown.version };
    await expect(api.news.edit(edit)).rejects.toMatchObject({ code: 'NOT_HERE' });
  });

  test('is refused a guarded function also at the commit', async () => {
    const editor = await signInAs(app, 'editor');
    const [colleague] = await app.database.db.select().from(administrators).where(eq(administrators.email, 'editor@demo.local'));
    const [person] = await app.database.db.select().from(administrators).where(eq(administrators.email, 'admin@demo.local'));
    const blocker = await app.database.connect();
    await blocker.query('begin');
    await blocker.query('select pg_advisory_xact_lock(42800004)');
    const items = [{ id: colleague?.id ?? '', version: colleague?.version ?? 0 }];
    const outcome = browser.api.administrators.endSessions({ items }).then(
      () => 'done',
      (error: { code: string }) => error.code,
    );
    await expect
      .poll(async () => (await blocker.query(`select from pg_locks where locktype = 'advisory' and not granted`)).rowCount)
      .toBeGreaterThan(0);
    await app.database.db
      .update(sessions)
      .set({ method: 'cli' })
      .where(eq(sessions.administratorId, person?.id ?? ''));
    await blocker.query('commit');
    await blocker.end();
    expect(await outcome).toBe('NOT_HERE');
    expect((await send(app, 'GET', '/api/session', undefined, editor.headers)).status).toBe(200);
  });

  test('is none for a server of 1.0.0, which does not know what it may not do', async () => {
    const { headers } = await logIn();
    expect(headers['authorization']).not.toMatch(/^Bearer ([\w-]{43})$/);
    const [session] = await app.database.db.select().from(sessions).where(eq(sessions.method, 'cli'));
    for (const permission of [null, 'news.add', 'deposits.confirm']) {
      const values = [session?.administratorId, session?.id, permission];
      const { rows } = await app.database.pool.query('select still_allowed($1, $2, $3) as refused', values);
      expect(rows).toEqual([{ refused: 'UNAUTHORIZED' }]);
    }
  });

  test('needs its cookie half', async () => {
    const { headers } = await logIn();
    expect((await send(app, 'GET', '/api/session', undefined, { authorization: headers['authorization'] ?? '' })).status).toBe(
      401,
    );
  });

  test('ends with all other sessions, and when it signs out', async () => {
    const [first, second] = [await logIn(), await logIn()];
    await second.api.session.signOut();
    expect((await send(app, 'GET', '/api/session', undefined, second.headers)).status).toBe(401);
    expect((await send(app, 'GET', '/api/session', undefined, first.headers)).status).toBe(200);
    await browser.api.account.endOtherSessions();
    expect((await send(app, 'GET', '/api/session', undefined, first.headers)).status).toBe(401);
  });
});
