import { fill, languages, type Language, type Text, type Values } from '../core/wording.ts';

/** A mail's texts in both languages. `{{name}}` is a place for a value. */
export interface MailTexts {
  readonly subject: Text;
  readonly body: Text;
}

/**
 * A mail in both languages. Nobody's language is known for sure: an invitation comes before the first sign-in, and after a break-in
 * the latest one is the attacker's.
 */
export function bilingualMail(
  { subject, body }: MailTexts,
  valuesIn: (language: Language) => Values,
): { subject: string; body: string } {
  const both = (text: Text) => languages.map((language) => fill(text[language], valuesIn(language)));
  return { subject: both(subject).join(' / '), body: both(body).join('\n\n———\n\n') };
}
