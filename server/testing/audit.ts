import type { AuditFields } from '../platform/audit/chain.ts';
import { newId } from '../platform/core/ids.ts';

export const buildAuditFields = (overrides: Partial<AuditFields> = {}): AuditFields => ({
  id: newId(),
  at: new Date().toISOString(),
  actorId: null,
  actorEmail: 'admin@demo.local',
  command: 'news.edit',
  route: 'news.edit',
  permission: 'news.edit',
  action: 'edit',
  entity: 'news',
  entityId: 'one',
  before: { title: '旧 "old"', nothing: null, big: 1e21 },
  after: { title: 'ñ=新' },
  result: 'done',
  requestId: 'r',
  ip: '127.0.0.1',
  idempotencyKey: null,
  ...overrides,
});
