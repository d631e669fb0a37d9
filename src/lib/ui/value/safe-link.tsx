import ExternalLink from 'lucide-react/icons/external-link';
import { parseHttpUrl } from '../../../../api/url.ts';
import { t } from '../../i18n/i18n.ts';

interface SafeLinkProps {
  href: string;
  /** The full address instead of the host. */
  whole?: boolean;
  tabIndex?: number;
}

/** Anything but http(s) stays text. */
export function SafeLink({ href, whole = false, tabIndex }: SafeLinkProps) {
  const url = parseHttpUrl(href);
  if (url === null)
    return (
      <span className="truncate text-2" title={t('value.notALink')}>
        {href || '—'}
      </span>
    );
  const { host } = new URL(url);
  return (
    <a
      href={url}
      target="_blank"
      rel="noopener noreferrer nofollow"
      title={`${url}\n${t('value.opensOutside', { host })}`}
      className="-my-0.5 inline-flex max-w-full min-w-0 items-center gap-1 rounded-chip py-0.5 text-accent-text hover:underline"
      {...(tabIndex === undefined ? {} : { tabIndex })}
    >
      <span className={whole ? 'min-w-0 break-all' : 'truncate'}>{whole ? url : host}</span>
      <ExternalLink size={12} aria-hidden="true" />
      <span className="sr-only">{t('value.opensOutside', { host })}</span>
    </a>
  );
}
