import type { RequestContext } from '../../services/context.ts';
import { formatTime } from '../../core/wording.ts';
import type { Queries } from '../../db/db.ts';
import { buildBilingualMail } from '../../content/bilingual-mail.ts';
import { queueMail } from '../../content/mail.ts';
import { guessMail, notSignedInText, ownerMail, ownerNotices, type OwnerNotice } from '../mail-texts.ts';

/** `by`: by default the caller. */
export function notifyOwner(
  queries: Queries,
  context: RequestContext,
  account: string,
  notice: OwnerNotice,
  by = context.actor?.email ?? context.provisioner?.email,
): Promise<void> {
  const currentTime = new Date(context.services.now());
  const noticeTexts = ownerNotices[notice];
  const { what: description, next: nextStep } = noticeTexts;
  const mailMessage = buildBilingualMail('isGuess' in noticeTexts ? guessMail : ownerMail, (language) => ({
    what: description[language],
    account,
    by: by ?? notSignedInText[language],
    time: formatTime(currentTime, language, context.services.config.timeZone),
    ip: context.ip,
    next: nextStep[language],
    url: `${context.services.config.publicUrl}/account`,
  }));
  return queueMail(queries, currentTime, { to: account, ...mailMessage });
}
