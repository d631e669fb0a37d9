import type { RequestContext } from '../../services/context.ts';
import { formatTime } from '../../core/wording.ts';
import type { Queries } from '../../db/db.ts';
import { bilingualMail } from '../../content/bilingual-mail.ts';
import { queueMail } from '../../content/mail.ts';
import { guessMail, notSignedInText, ownerMail, ownerNotices, type OwnerNotice } from '../mail-texts.ts';

export function notifyOwner(queries: Queries, context: RequestContext, account: string, notice: OwnerNotice): Promise<void> {
  const at = new Date(context.services.now());
  const texts = ownerNotices[notice];
  const { what, next } = texts;
  const mail = bilingualMail('isGuess' in texts ? guessMail : ownerMail, (language) => ({
    what: what[language],
    account,
    by: context.actor?.email ?? notSignedInText[language],
    time: formatTime(at, language, context.services.config.timeZone),
    ip: context.ip,
    next: next[language],
    url: `${context.services.config.publicUrl}/account`,
  }));
  return queueMail(queries, at, { to: account, ...mail });
}
