import { recordRefusal } from '../../audit/audit.ts';
import type { Person, RequestContext } from '../../services/context.ts';
import { toCatalogCode, isAppError } from '../../core/errors.ts';
import { consumeRateLimit } from '../../http/rate-limit.ts';
import { notifyOwner } from './notify-owner.ts';

interface Owner {
  id: string;
  email: string;
}

export const toUnauthenticatedActor = ({ id, email }: Owner): Person => ({
  kind: 'person',
  id,
  email,
  sessionId: '',
  granted: new Set(),
});

/** Audits a refusal and rethrows it. */
export const recordRefusalOf =
  (context: RequestContext, owner: Owner) =>
  async (error: unknown): Promise<never> => {
    await recordRefusal({ ...context, actor: context.actor ?? toUnauthenticatedActor(owner) }, toCatalogCode(error));
    throw error;
  };

const noticeIntervalMs = 600_000;

/** Mails the owner once in ten minutes per kind. */
export const notifyOwnerOnFailure =
  (context: RequestContext, { id, email }: Owner, kind: keyof typeof noticeByFactor) =>
  async (error: unknown): Promise<never> => {
    if (!isWrongGuess(error)) throw error;
    const isFirst = await consumeRateLimit(context.services, `told ${kind} ${id}`, noticeIntervalMs).then(
      () => true,
      () => false,
    );
    if (isFirst) await notifyOwner(context.db, context, email, noticeByFactor[kind]);
    throw error;
  };

/** A wrong password is a field error. */
const isWrongGuess = (error: unknown) =>
  (['FACTOR_WRONG', 'CODE_WRONG', 'BAD_REQUEST'] as const).some((code) => isAppError(error, code));

const noticeByFactor = { factor: 'factorGuessed', step: 'stepGuessed' } as const;
