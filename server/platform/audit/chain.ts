import { createHash } from 'node:crypto';

export const auditGenesis = '0'.repeat(64);

/** `payload` is the exact hashed text. */
export interface ChainRow {
  readonly seq: number;
  readonly prevHash: string;
  readonly hash: string;
  readonly payload: string;
  readonly columns?: Readonly<Record<string, string | null>>;
}

export interface AuditFields {
  id: string;
  at: string;
  actorId: string | null;
  actorEmail: string;
  command: string | null;
  route: string;
  permission: string | null;
  action: string;
  entity: string;
  entityId: string | null;
  before: unknown;
  after: unknown;
  result: 'done' | 'refused';
  requestId: string;
  ip: string;
  idempotencyKey: string | null;
  /** Id of the service token that acted. */
  token?: string;
}

/** The hashed text. The order of fields is fixed. */
export function serializeAuditPayload(fields: AuditFields): string {
  const { id, at, actorId, actorEmail, command, route, permission, action, entity, entityId } = fields;
  const { before, after, result, requestId, ip, idempotencyKey, token } = fields;
  const identityFields = { id, at, actorId, actorEmail, command, route, permission, action, entity, entityId };
  return JSON.stringify({ ...identityFields, before, after, result, requestId, ip, idempotencyKey, token });
}

/** SHA-256(domain ‖ seq ‖ prev_hash ‖ payload), like `audit_hash` in SQL. */
export const hashRow = (seq: number, prevHash: string, payload: string): string =>
  createHash('sha256').update(`admin-panel audit 1\n${seq}\n${prevHash}\n${payload}`, 'utf8').digest('hex');

/** `seq` null: the chain or the heads as a whole. */
export interface ChainFinding {
  readonly seq: number | null;
  readonly text: string;
}

/** From a signed head. */
export interface HeadAnchor {
  readonly seq: number;
  readonly hash: string;
  readonly time: string;
}

/** Detached rows: `prevHash` of the first, `hash` of the last. */
export interface RemovedRows {
  readonly first: number;
  readonly last: number;
  readonly prevHash: string;
  readonly hash: string;
}

/** Sorted, adjacent stretches merged. */
export function mergeRemovedRanges(ranges: readonly RemovedRows[]): RemovedRows[] {
  const mergedRanges: RemovedRows[] = [];
  for (const next of ranges.toSorted((a, b) => a.first - b.first)) {
    const previousRange = mergedRanges.at(-1);
    if (previousRange && previousRange.last + 1 === next.first && previousRange.hash === next.prevHash)
      mergedRanges[mergedRanges.length - 1] = { ...previousRange, last: next.last, hash: next.hash };
    else mergedRanges.push(next);
  }
  return mergedRanges;
}

export function parseRemovedRows(payload: string): RemovedRows[] | null {
  if (!payload.includes('"detach"')) return null;
  const fields = parseFields(payload);
  if (fields?.['route'] !== 'server' || fields['entity'] !== 'audit' || fields['action'] !== 'detach') return null;
  const { rows } = fields['after'] as { rows?: unknown };
  return Array.isArray(rows) ? (rows as RemovedRows[]) : null;
}

/** Concurrent writers commit out of order. */
const clockSlackMs = 5_000;

/**
 * Checks numbers, hashes, columns against the hashed text, and anchors. `part`: a filtered export. `gone`: recorded detachments,
 * noted if both ends match.
 */
export class ChainCheck {
  readonly problems: ChainFinding[] = [];
  readonly notes: ChainFinding[] = [];
  rows = 0;
  private last: Pick<ChainRow, 'seq' | 'hash'> | null = null;
  private lastAt = 0;
  private readonly part: boolean;
  private readonly gone: Map<number, RemovedRows>;
  private readonly anchors = new Map<number, HeadAnchor[]>();

  constructor(
    anchors: readonly HeadAnchor[] = [],
    { part: isPartial = false, gone: removedRows = [] }: { part?: boolean; gone?: readonly RemovedRows[] } = {},
  ) {
    this.part = isPartial;
    this.gone = new Map(removedRows.map((removedRange) => [removedRange.first, removedRange]));
    for (const anchor of anchors) this.anchors.set(anchor.seq, [...(this.anchors.get(anchor.seq) ?? []), anchor]);
  }

  add(row: ChainRow): void {
    this.rows++;
    this.checkPlace(row);
    if (hashRow(row.seq, row.prevHash, row.payload) !== row.hash)
      this.problem(row.seq, 'was changed: its text doesn’t match its hash');
    this.checkColumns(row);
    this.checkHeads(row);
    this.last = row;
  }

  end(): void {
    const lastSeq = this.last?.seq ?? 0;
    if (this.part) return;
    const anchorsBeyondEnd = [...this.anchors.values()].flat().filter(({ seq }) => seq > lastSeq);
    const furthestAnchor = anchorsBeyondEnd.reduce<HeadAnchor | null>(
      (max, anchor) => (max && max.seq >= anchor.seq ? max : anchor),
      null,
    );
    if (furthestAnchor)
      this.problem(
        lastSeq + 1,
        `to ${furthestAnchor.seq} are missing at the end, but the head signed at ${furthestAnchor.time} covers them`,
      );
  }

  private checkHeads({ seq, hash: headHash }: Pick<ChainRow, 'seq' | 'hash'>): void {
    for (const { hash, time } of this.anchors.get(seq) ?? [])
      if (hash !== headHash) this.problem(seq, `doesn’t match the head signed at ${time}: the chain was rewritten`);
  }

  private checkPlace({ seq, prevHash }: ChainRow): void {
    this.skipGone(seq);
    const expected = (this.last?.seq ?? 0) + 1;
    if (this.last && seq === this.last.seq) return this.problem(seq, 'exists twice');
    if (this.last && seq < this.last.seq) return this.problem(seq, `is out of order: it comes after ${this.last.seq}`);
    if (seq !== expected) {
      if (this.part) return;
      return this.problem(expected, seq - 1 === expected ? 'is missing' : `to ${seq - 1} are missing`);
    }
    if (prevHash !== (this.last?.hash ?? auditGenesis))
      this.problem(seq, 'doesn’t match the previous row: one of the two was changed, moved or inserted');
  }

  /** Only if their record matches the previous row. */
  private skipGone(seq: number): void {
    const removedRows = this.part ? undefined : this.gone.get((this.last?.seq ?? 0) + 1);
    if (!removedRows || removedRows.last >= seq || removedRows.prevHash !== (this.last?.hash ?? auditGenesis)) return;
    this.last = { seq: removedRows.last, hash: removedRows.hash };
    this.checkHeads(this.last);
    this.notes.push({
      seq: removedRows.first,
      text: `to ${removedRows.last} were archived with their months, as the audit records`,
    });
  }

  private checkColumns({ seq, payload, columns }: ChainRow): void {
    const fields = parseFields(payload);
    if (!fields) return this.problem(seq, 'has a text that isn’t a valid record');
    const recordedTime = Date.parse(String(fields['at']));
    if (recordedTime < this.lastAt - clockSlackMs)
      this.notes.push({ seq, text: `has the time ${String(fields['at'])}, earlier than the previous row: a clock was set back` });
    this.lastAt = recordedTime;
    for (const [name, value] of Object.entries(columns ?? {})) {
      const recordedValue = fields[name] ?? null;
      const text =
        typeof recordedValue === 'string' && name !== 'before' && name !== 'after'
          ? recordedValue
          : recordedValue === null
            ? null
            : JSON.stringify(recordedValue);
      if (text !== value) this.problem(seq, `was changed: its column ${name} doesn’t match the recorded text`);
    }
  }

  private problem(seq: number, text: string): void {
    this.problems.push({ seq, text });
  }
}

function parseFields(payload: string): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(payload);
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : null;
  } catch {
    return null;
  }
}
