import { parseHttpUrl } from '../../api/url.ts';
import { copyText } from './clipboard.ts';
import { t } from './i18n/i18n.ts';
import { showToast } from './ui/overlay/toasts-store.ts';

/** Copies as PNG, or copies the address if the host or the browser refuses. */
export async function copyPicture(src: string): Promise<void> {
  const url = parseHttpUrl(src);
  if (url === null) return;
  try {
    // A promise, because clipboard writes must start within the user gesture.
    await navigator.clipboard.write([new ClipboardItem({ 'image/png': convertToPng(url) })]);
    showToast({ kind: 'success', text: t('common.copied') });
  } catch {
    if (await copyText(url)) showToast({ kind: 'blocked', text: t('pictures.copiedLink') });
  }
}

async function convertToPng(url: string): Promise<Blob> {
  const image = new Image();
  image.crossOrigin = 'anonymous';
  image.referrerPolicy = 'no-referrer';
  image.src = url;
  await image.decode();
  const canvas = document.createElement('canvas');
  [canvas.width, canvas.height] = [image.naturalWidth, image.naturalHeight];
  canvas.getContext('2d')?.drawImage(image, 0, 0);
  return new Promise((resolve, reject) =>
    canvas.toBlob((png) => (png ? resolve(png) : reject(new Error('the picture could not be drawn'))), 'image/png'),
  );
}
