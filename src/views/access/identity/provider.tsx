import type { IdentityStatus } from '../../../../api/access/identity.ts';
import { t } from '../../../lib/i18n/i18n.ts';
import { Details } from '../../../lib/ui/record/details.tsx';
import { Section } from '../../../lib/ui/section.tsx';

const asCode = (text: string) => (
  <span className="font-mono text-meta" dir="ltr">
    {text}
  </span>
);
const copyable = (text: string) => ({ copy: text, shown: asCode(text) });

/** The configuration as the server reads it, without the secret. */
export function ProviderFacts({ status }: { status: IdentityStatus }) {
  const { name, signIn } = status;
  if (!signIn)
    return (
      <Section title={t('identity.provider.title')}>
        <p className="text-body text-2">{t('identity.provider.off')}</p>
      </Section>
    );
  return (
    <Section title={t('identity.provider.title')} intro={t('identity.provider.intro')}>
      <Details
        data-provider=""
        of={{
          'identity.provider.name': name,
          'identity.provider.issuer': copyable(signIn.issuer),
          'identity.provider.clientId': copyable(signIn.clientId),
          'identity.provider.hasSecret': t(signIn.hasSecret ? 'identity.provider.secretSet' : 'identity.provider.secretMissing'),
          'identity.provider.redirectUrl': copyable(signIn.redirectUrl),
          'identity.provider.logoutUrl': copyable(signIn.logoutUrl),
          'identity.provider.join': t(`identity.join.${signIn.join}`),
          'identity.provider.scopes': asCode(signIn.scopes),
          'administrators.field.subjectClaim': asCode(signIn.subjectClaim),
          'identity.provider.scimClaim': status.provisioning.isOn && asCode(signIn.scimClaim),
          'identity.provider.groupsClaim':
            signIn.groupsClaim === null ? t('identity.provider.noGroups') : asCode(signIn.groupsClaim),
          'identity.provider.email': t(`identity.provider.emailMode.${signIn.email}`),
          'identity.provider.emailDomains':
            signIn.emailDomains === null ? t('identity.provider.anyDomain') : asCode(signIn.emailDomains.join(', ')),
          'identity.provider.sessionHours': t('identity.provider.hours', { count: signIn.sessionHours }),
          'identity.provider.required': t(signIn.required ? 'identity.provider.requiredOn' : 'identity.provider.requiredOff'),
          'identity.provider.logout': t(signIn.logout ? 'identity.provider.logoutOn' : 'identity.provider.logoutOff'),
        }}
      />
    </Section>
  );
}
