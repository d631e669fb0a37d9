import { fillTemplate, languages, type Language, type BilingualText, type TemplateValues } from '../core/wording.ts';

/** `{{name}}` is a placeholder. */
export interface MailTexts {
  readonly subject: BilingualText;
  readonly body: BilingualText;
}

/** In both languages: an invitee has no language yet, and after a break-in the latest choice is the attacker's. */
export function bilingualMail(
  { subject, body }: MailTexts,
  valuesIn: (language: Language) => TemplateValues,
): { subject: string; body: string } {
  const both = (text: BilingualText) => languages.map((language) => fillTemplate(text[language], valuesIn(language)));
  return { subject: both(subject).join(' / '), body: both(body).join('\n\n———\n\n') };
}
