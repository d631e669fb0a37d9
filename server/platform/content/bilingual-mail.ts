import { fillTemplate, languages, type Language, type BilingualText, type TemplateValues } from '../core/wording.ts';

/** `{{name}}` is a placeholder. */
export interface MailTexts {
  readonly subject: BilingualText;
  readonly body: BilingualText;
}

/** In both languages: an invitee has no language yet, and after a break-in the latest choice is the attacker's. */
export function buildBilingualMail(
  { subject, body }: MailTexts,
  valuesIn: (language: Language) => TemplateValues,
): { subject: string; body: string } {
  const fillBothLanguages = (text: BilingualText) =>
    languages.map((language) => fillTemplate(text[language], valuesIn(language)));
  return { subject: fillBothLanguages(subject).join(' / '), body: fillBothLanguages(body).join('\n\n———\n\n') };
}
