import { recordRefusal } from '../../audit/audit.ts';
import type { Actor, RequestContext } from '../../core/context.ts';
import { catalogCode, isFailure } from '../../core/errors.ts';
import { takeTurn } from '../../http/rate-limit.ts';
import { notifyOwner } from './notify-owner.ts';

interface Owner {
  id: string;
  email: string;
}

/** Somebody who is not signed in, as the audit names them. */
export const nobodyYet = ({ id, email }: Owner): Actor => ({ id, email, sessionId: '', granted: new Set() });

/** Records a step that was refused, and passes the refusal on. */
export const refused =
  (context: RequestContext, owner: Owner) =>
  async (error: unknown): Promise<never> => {
    await recordRefusal({ ...context, actor: context.actor ?? nobodyYet(owner) }, catalogCode(error));
    throw error;
  };

const toldEveryMs = 600_000;

/** Who guesses wrong has come that far already: the account's owner hears of it, once in ten minutes for each kind of guess. */
export const toldOf =
  (context: RequestContext, { id, email }: Owner, kind: keyof typeof notices) =>
  async (error: unknown): Promise<never> => {
    if (!isWrong(error)) throw error;
    const isFirst = await takeTurn(context.services, `told ${kind} ${id}`, toldEveryMs).then(
      () => true,
      () => false,
    );
    if (isFirst) await notifyOwner(context.db, context, email, notices[kind]);
    throw error;
  };

/** A password is a field, and wrong ones are a bad one. */
const isWrong = (error: unknown) =>
  (['FACTOR_WRONG', 'CODE_WRONG', 'BAD_REQUEST'] as const).some((code) => isFailure(error, code));

const notices = { factor: 'factorGuessed', step: 'stepGuessed' } as const;
