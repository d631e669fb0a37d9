import { administratorFields } from '../api/access/administrators.ts';
import { stdin, stderr, stdout } from 'node:process';
import { createInterface } from 'node:readline/promises';
import { Writable } from 'node:stream';
import { and, eq, isNull } from 'drizzle-orm';
import { builtInRoles, toStoredRole } from '../api/access/built-in-roles.ts';
import { recordAccountChange } from './platform/auth/account-changes.ts';
import { recordAudit } from './platform/audit/audit.ts';
import { ConfigError, readConfig } from './platform/core/config.ts';
import type { RequestContext, Services } from './platform/services/context.ts';
import { openDatabase } from './platform/db/db.ts';
import { withAdvisoryLock } from './platform/db/advisory-lock.ts';
import { newId } from './platform/core/ids.ts';
import { createLogger } from './platform/core/log.ts';
import { openExternalServices } from './platform/services/services.ts';
import { hashPassword, normalizeEmail, passwordLength, findPasswordProblem } from './platform/auth/sign-in/password.ts';
import { startPostgres } from './platform/db/postgres.ts';
import { StartError } from './platform/core/start-error.ts';
import { addAdministrator, seedDatabase } from './seed/seed.ts';
import { administrators } from './platform/auth/tables.ts';

/** A user error, reported in one line. */
class UsageError extends Error {}

/** npm run admin:create: reads EMAIL and PASSWORD, or asks for them. */
async function main(): Promise<void> {
  const config = readConfig();
  const { email, password } = await readCredentials();
  if (!administratorFields.shape.email.safeParse(email).success) throw new UsageError('EMAIL must be an email address');
  const passwordIssue = findPasswordProblem(password, email);
  if (passwordIssue) throw new UsageError(`PASSWORD ${problems[passwordIssue] ?? problems.invalid}`);

  const log = createLogger({ level: 'warn' });
  const embeddedPostgres = config.databaseUrl === null ? await startPostgres({ dataDir: config.dataDir }) : null;
  const database = openDatabase({
    url: embeddedPostgres?.url ?? config.databaseUrl ?? '',
    directUrl: config.databaseDirectUrl,
    log,
  });
  try {
    await database.migrate();
    const services: Services = { config, log, database, now: Date.now, ...openExternalServices(config) };
    await withAdvisoryLock(
      () => database.connect(),
      'begin',
      () => seedDatabase(services),
    );
    await createAdministrator(services, email, await hashPassword(password));
  } finally {
    await database.close();
    await embeddedPostgres?.stop();
  }
  stdout.write(`${email} can sign in now and has all permissions.\n`);
}

const problems = {
  tooShort: `must be at least ${passwordLength.min} characters long`,
  tooLong: `must be at most ${passwordLength.max} characters long`,
  invalid: 'is too easy to guess. Choose another one',
} as Record<string, string>;

async function createAdministrator(services: Services, email: string, passwordHash: string): Promise<void> {
  await services.database.db.transaction(async (tx) => {
    const [existingAdministrator] = await tx
      .select()
      .from(administrators)
      .where(and(eq(administrators.email, email), isNull(administrators.deletedAt)));
    if (existingAdministrator) throw new UsageError(`${email} is already an administrator. Use another EMAIL`);
    const id = await addAdministrator(tx, { email, passwordHash, role: 'all', at: new Date(services.now()), demo: false });
    await recordAccountChange(tx, serverContext(services), [id], 'created');
    await recordAudit(tx, serverContext(services), [
      { entity: 'administrator', id, action: 'create', after: { email, roles: [toStoredRole(builtInRoles.all).name] } },
    ]);
  });
}

/** The actor for the audit. */
function serverContext(services: Services): RequestContext {
  return {
    services,
    db: services.database.db,
    requestId: newId(),
    log: services.log,
    ip: 'server',
    userAgent: 'admin:create',
    headers: new Headers(),
    answer: new Headers(),
    command: null,
    idempotencyKey: null,
    session: () => Promise.resolve(null),
    actor: null,
    route: null,
  };
}

/** From the environment, otherwise two lines of standard input. */
async function readCredentials(): Promise<{ email: string; password: string }> {
  const credentials = { email: process.env['EMAIL'] ?? '', password: process.env['PASSWORD'] ?? '' };
  if (credentials.email && credentials.password) return { ...credentials, email: normalizeEmail(credentials.email) };
  let isEchoOff = false;
  const echo = new Writable({ write: (chunk: Buffer, _encoding, done) => (isEchoOff || stderr.write(chunk), done()) });
  const lines = createInterface({ input: stdin, output: echo, terminal: stdin.isTTY });
  const lineIterator = lines[Symbol.asyncIterator]();
  const askQuestion = async (question: string) => {
    if (stdin.isTTY) stderr.write(question);
    const line = await lineIterator.next();
    return line.done ? '' : line.value;
  };
  try {
    const email = credentials.email || (await askQuestion('Email: '));
    isEchoOff = true;
    const password = credentials.password || (await askQuestion('Password: '));
    if (stdin.isTTY) stderr.write('\n');
    return { email: normalizeEmail(email), password };
  } finally {
    lines.close();
  }
}

try {
  await main();
} catch (error) {
  if (error instanceof UsageError || error instanceof ConfigError || error instanceof StartError)
    stderr.write(`${error.message}\n`);
  else console.error(error);
  process.exitCode = 1;
}
