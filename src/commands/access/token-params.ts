import { textField, timeField, type ParamField } from '../engine/fields.ts';

/** What a person chooses for every token. */
export const tokenParams = {
  name: textField('services.field.tokenName'),
  expiresAt: timeField('services.field.expiresAt'),
  networks: { as: 'text', label: 'services.field.networks', hint: 'services.networksHint', optional: true } as ParamField,
} as const;

export const tokenDefaults = (now: Date, days: number) => ({
  expiresAt: new Date(now.getTime() + days * 86_400_000).toISOString(),
  networks: '',
});

export const loadRevocationFields = () =>
  import('../../../api/access/tokens.ts').then(({ revocationFields }) => revocationFields);
