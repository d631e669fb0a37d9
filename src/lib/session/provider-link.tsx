import ExternalLink from 'lucide-react/icons/external-link';
import { useEffect, useRef } from 'react';
import { t } from '../i18n/i18n.ts';
import { buttonClass } from '../ui/button-class.ts';
import { loginPath } from './guard.ts';

interface ProviderLinkProps {
  name: string;
  /** A fragment of sso-way.ts. */
  start: string;
  onClick?: () => void;
}

/** In another tab, so that this page keeps what was typed. Focused when it appears. */
export function ProviderLink({ name, start, onClick }: ProviderLinkProps) {
  const link = useRef<HTMLAnchorElement>(null);
  useEffect(() => link.current?.focus(), []);
  return (
    <a
      ref={link}
      href={loginPath + start}
      target="_blank"
      rel="noopener"
      data-autofocus=""
      className={buttonClass('primary', 'w-full px-3 no-underline')}
      onClick={onClick}
    >
      <span className="truncate">{t('login.sso', { name })}</span>
      <ExternalLink size={14} aria-hidden="true" />
      <span className="sr-only">{t('account.expiry.newTab')}</span>
    </a>
  );
}
