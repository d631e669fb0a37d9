import { t } from '../../i18n/i18n.ts';
import { showPictures } from '../overlay/lightbox-store.ts';
import { SafeImage } from './picture.tsx';

interface PictureStripProps {
  pictures: readonly string[];
  /** Size of each box: `h-24 w-32`. */
  className: string;
  fit?: 'cover' | 'contain';
}

export const PictureStrip = ({ pictures, className, fit = 'cover' }: PictureStripProps) => (
  <ul className="flex flex-wrap gap-1.5">
    {pictures.map((src, index) => (
      <li key={src} className="max-w-full">
        <button
          type="button"
          aria-label={t('pictures.titleOf', { n: index + 1, of: pictures.length })}
          className="block max-w-full cursor-zoom-in rounded-chip"
          onClick={() => showPictures(pictures, index)}
        >
          <SafeImage src={src} alt="" className={`max-w-full ${className}`} fit={fit} />
        </button>
      </li>
    ))}
  </ul>
);
