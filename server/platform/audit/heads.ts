import { createHash, createPrivateKey, createPublicKey, generateKeyPairSync, sign, verify, type KeyObject } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import { open, readFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { HeadAnchor, ChainFinding } from './chain.ts';
import type { Config } from '../core/config.ts';
import type { Services } from '../services/context.ts';
import { describeError } from '../core/log.ts';
import { StartError } from '../core/start-error.ts';
import { writeFileOnce } from '../core/write-once.ts';

const rowsPerHead = 1_000;
const intervalMs = 3_600_000;
const checkIntervalMs = 10_000;

const buildHeadStatement = ({ seq, hash, time }: HeadAnchor) =>
  Buffer.from(`admin-panel audit head 1\n${seq}\n${hash}\n${time}`, 'utf8');

/** 16 hex digits of the DER's SHA-256. */
export const formatAuditKeyName = (key: KeyObject): string =>
  createHash('sha256')
    .update(key.export({ type: 'spki', format: 'der' }))
    .digest('hex')
    .slice(0, 16);

/** From AUDIT_KEY_FILE (PEM), or generated in the data folder (0600). Throws StartError. */
export function readAuditKey({ auditKeyFile, dataDir }: Pick<Config, 'auditKeyFile' | 'dataDir'>): KeyObject {
  const file = auditKeyFile ?? defaultKeyFileOf(dataDir);
  if (auditKeyFile === null && !existsSync(file)) createKeyFile(file);
  try {
    const key = createPrivateKey(readFileSync(file));
    if (key.asymmetricKeyType === 'ed25519') return key;
  } catch {
    // reported below
  }
  throw new StartError(
    `${file} contains no Ed25519 private key (AUDIT_KEY_FILE). Create one with: openssl genpkey -algorithm ed25519 -out FILE`,
  );
}

const defaultKeyFileOf = (dataDir: string) => `${dataDir}/audit-key.pem`;

function createKeyFile(file: string): void {
  mkdirSync(dirname(file), { recursive: true });
  const pem = generateKeyPairSync('ed25519').privateKey.export({ type: 'pkcs8', format: 'pem' });
  writeFileOnce(file, String(pem));
}

/** Durable when it resolves. */
export async function appendHead(file: string, key: KeyObject, anchor: HeadAnchor): Promise<void> {
  const { seq, hash, time } = anchor;
  const signature = sign(null, buildHeadStatement(anchor), key).toString('base64');
  const headLine = JSON.stringify({ seq, hash, time, key: formatAuditKeyName(createPublicKey(key)), signature });
  const handle = await open(file, 'a+', 0o600);
  try {
    const { size } = await handle.stat();
    const lastByte = Buffer.alloc(1);
    if (size > 0) await handle.read(lastByte, 0, 1, size - 1);
    await handle.appendFile(`${size > 0 && lastByte.toString() !== '\n' ? '\n' : ''}${headLine}\n`);
    await handle.sync();
  } finally {
    await handle.close();
  }
}

export interface VerifiedHeads {
  anchors: HeadAnchor[];
  problems: ChainFinding[];
  notes: ChainFinding[];
}

/** A wrong signature is a problem, a line cut by a crash a note. */
export async function readHeads(file: string, keys: readonly KeyObject[]): Promise<VerifiedHeads> {
  const heads: VerifiedHeads = { anchors: [], problems: [], notes: [] };
  const text = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return null;
    throw error;
  });
  if (text === null) {
    heads.notes.push({ seq: null, text: `${file} has no signed heads, so a rewritten chain can’t be detected` });
    return heads;
  }
  for (const [index, headLine] of text.split('\n').entries()) {
    if (headLine === '') continue;
    const head = parseHead(headLine);
    if (!head)
      heads.notes.push({ seq: null, text: `line ${index + 1} of the heads can’t be read (a crash may have cut it off)` });
    else if (keys.some((key) => verify(null, buildHeadStatement(head), key, Buffer.from(head.signature, 'base64'))))
      heads.anchors.push(head);
    else heads.problems.push({ seq: head.seq, text: `has a head on line ${index + 1} that none of the given keys signed` });
  }
  return heads;
}

function parseHead(headLine: string): (HeadAnchor & { signature: string }) | null {
  try {
    const value = JSON.parse(headLine) as Partial<Record<string, unknown>>;
    const { seq, hash, time, signature } = value;
    const isHead =
      typeof seq === 'number' && typeof hash === 'string' && typeof time === 'string' && typeof signature === 'string';
    return isHead ? { seq, hash, time, signature } : null;
  } catch {
    return null;
  }
}

export function startSigningHeads(services: Services): () => Promise<void> {
  const { config, database, log, meter, now } = services;
  const key = readAuditKey(config);
  mkdirSync(dirname(config.auditHeadsFile), { recursive: true });
  if (config.production && config.auditKeyFile === null)
    log.warn('the key that signs audit heads is stored next to the data: set AUDIT_KEY_FILE to a key stored elsewhere');
  let lastSignedHead = { seq: 0, at: now() };
  let pendingRun: Promise<void> = Promise.resolve();

  async function readNewHeads(isForced: boolean): Promise<void> {
    const { rows } = await database.pool.query<{ seq: string; hash: string }>(
      'select seq, hash from audit order by seq desc limit 1',
    );
    const [latestHead] = rows;
    const seq = Number(latestHead?.seq ?? 0);
    if (!latestHead || seq === lastSignedHead.seq) return meter?.unsignedAudit(0);
    meter?.unsignedAudit(Math.max(0, now() - lastSignedHead.at) / 1000);
    const isDue =
      isForced || lastSignedHead.seq === 0 || seq - lastSignedHead.seq >= rowsPerHead || now() - lastSignedHead.at >= intervalMs;
    if (!isDue) return;
    await appendHead(config.auditHeadsFile, key, { seq, hash: latestHead.hash, time: new Date(now()).toISOString() });
    lastSignedHead = { seq, at: now() };
    meter?.unsignedAudit(0);
  }
  const scheduleHeadCheck = (isForced: boolean) => {
    pendingRun = pendingRun
      .then(() => readNewHeads(isForced))
      .catch((error: unknown) => log.error({ err: describeError(error) }, 'could not sign the audit head, will retry'));
    return pendingRun;
  };
  const timer = setInterval(() => void scheduleHeadCheck(false), checkIntervalMs);
  timer.unref();
  return () => {
    clearInterval(timer);
    return scheduleHeadCheck(true);
  };
}
