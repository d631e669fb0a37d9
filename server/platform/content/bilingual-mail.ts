import { fill, languages, type Language, type Text, type Values } from '../core/wording.ts';

/** `{{name}}` is a placeholder. */
export interface MailTexts {
  readonly subject: Text;
  readonly body: Text;
}

/** In both languages: an invitee has no language yet, and after a break-in the latest choice is the attacker's. */
export function bilingualMail(
  { subject, body }: MailTexts,
  valuesIn: (language: Language) => Values,
): { subject: string; body: string } {
  const both = (text: Text) => languages.map((language) => fill(text[language], valuesIn(language)));
  return { subject: both(subject).join(' / '), body: both(body).join('\n\n———\n\n') };
}
