import ImageOff from 'lucide-react/icons/image-off';
import { useState } from 'react';
import { parseHttpUrl } from '../../../../api/url.ts';
import { t } from '../../i18n/i18n.ts';

interface SafeImageProps {
  /** Only http(s) or blob addresses are loaded. */
  src: string | null;
  /** Empty if adjacent text describes it. */
  alt: string;
  /** Fixed size, to prevent layout shifts: `h-6 w-9`. */
  className: string;
  fit?: 'cover' | 'contain';
}

/** Untrusted picture: no referrer, lazy, with a placeholder on failure. */
export function SafeImage({ src, alt, className, fit = 'cover' }: SafeImageProps) {
  const [failedSource, setFailedSource] = useState<string | null>(null);
  const url = src === null ? null : src.startsWith('blob:') ? src : parseHttpUrl(src);
  const box = `shrink-0 overflow-hidden rounded-chip border border-hairline bg-layer align-middle ${className}`;
  if (url === null || failedSource === url) {
    const altText = src === null ? t('value.noPicture') : t('value.pictureUnseen');
    return (
      <span
        {...(alt !== '' && { role: 'img', 'aria-label': alt })}
        title={altText}
        className={`inline-flex items-center justify-center ${box} text-3`}
      >
        <ImageOff size={14} aria-hidden="true" />
      </span>
    );
  }
  return (
    <img
      src={url}
      alt={alt}
      loading="lazy"
      decoding="async"
      referrerPolicy="no-referrer"
      className={`inline-block ${box} ${fit === 'cover' ? 'object-cover' : 'object-contain'}`}
      onError={() => setFailedSource(url)}
    />
  );
}
