import ImageUp from 'lucide-react/icons/image-up';
import X from 'lucide-react/icons/x';
import { useEffect, useRef, useState, type ClipboardEvent, type DragEvent } from 'react';
import { parseHttpUrl } from '../../../../api/url.ts';
import { pictureLimit } from '../../../../api/pictures/contract.ts';
import { ApiError } from '../../net/client.ts';
import { errorText } from '../../net/errors.ts';
import { t } from '../../i18n/i18n.ts';
import { Button, IconButton } from '../button.tsx';
import { Kbd } from '../value/kbd.tsx';
import { SafeImage } from '../value/picture.tsx';
import { completeUrlProps } from './controls.tsx';
import { lineClass } from './line-class.ts';
import { fieldAttributes } from './field-attributes.tsx';
import type { ControlProps, Upload } from './field-view.ts';

interface PictureFieldProps extends ControlProps<string> {
  upload: Upload;
}

const kinds = ['image/jpeg', 'image/png', 'image/webp'];
const debounceMs = 300;
const mb = pictureLimit.bytes / 1024 / 1024;

/** A typed address, or the server's address of a dropped, pasted or chosen picture. */
export function PictureField({ upload, ...props }: PictureFieldProps) {
  const { value, onChange, id } = props;
  const [sending, setSending] = useState<{ name: string; stop: AbortController } | null>(null);
  const [refused, setRefused] = useState<string | null>(null);
  const [isOver, setOver] = useState(false);
  // Shown once typing pauses, so that not every letter requests a picture.
  const [seen, setSeen] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setSeen(value), debounceMs);
    return () => clearTimeout(timer);
  }, [value]);
  const chooser = useRef<HTMLInputElement>(null);
  const latest = useRef<AbortController>(null);
  useEffect(() => () => latest.current?.abort(), []);

  async function send(file: File) {
    const wrong = !kinds.includes(file.type)
      ? t('form.pictureType')
      : file.size > pictureLimit.bytes
        ? t('form.pictureSize', { mb })
        : null;
    setRefused(wrong);
    if (wrong !== null) return;
    latest.current?.abort();
    const stop = new AbortController();
    latest.current = stop;
    setSending({ name: file.name, stop });
    try {
      const { url } = await upload(file, stop.signal);
      if (!stop.signal.aborted) onChange(url);
    } catch (error) {
      if (!stop.signal.aborted) setRefused(refusal(error));
    } finally {
      if (latest.current === stop) setSending(null);
    }
  }
  function take(files: FileList, event: { preventDefault(): void }) {
    const [file] = files;
    if (!file) return;
    event.preventDefault();
    void send(file);
  }
  function stop() {
    sending?.stop.abort();
    setSending(null);
  }
  /** The button disappears with the picture, so move the focus. */
  function remove() {
    onChange('');
    document.getElementById(id)?.focus();
  }
  const errorId = `${id}-refused`;
  const describedBy = [props.describedBy, refused ? errorId : undefined].filter(Boolean).join(' ') || undefined;
  return (
    <div
      className={`flex items-start gap-3 rounded-control border border-dashed p-2 ${isOver ? 'border-accent bg-layer-selected' : 'border-control'}`}
      onDragOver={(event) => {
        if (!event.dataTransfer.types.includes('Files')) return;
        event.preventDefault();
        setOver(true);
      }}
      onDragLeave={() => setOver(false)}
      onDrop={(event: DragEvent) => {
        setOver(false);
        take(event.dataTransfer.files, event);
      }}
      onPaste={(event: ClipboardEvent) => take(event.clipboardData.files, event)}
    >
      <SafeImage
        src={parseHttpUrl(seen)}
        alt={value === '' ? t('value.noPicture') : t('form.picturePreview')}
        className="h-20 w-28 max-sm:h-14 max-sm:w-20"
        fit="contain"
      />
      <div className="flex min-w-0 flex-1 flex-col gap-1.5">
        <input
          {...fieldAttributes({ ...props, describedBy, invalid: props.invalid || refused !== null })}
          type="text"
          inputMode="url"
          autoComplete="off"
          spellCheck={false}
          dir="ltr"
          placeholder="https://"
          className={lineClass}
          value={value}
          {...completeUrlProps(value, onChange)}
          aria-keyshortcuts="Alt+ArrowDown"
          onKeyDown={(event) => {
            if (!event.altKey || event.key !== 'ArrowDown' || event.repeat) return;
            event.preventDefault();
            chooser.current?.click();
          }}
          onChange={({ target }) => {
            setRefused(null);
            onChange(target.value);
          }}
        />
        <div className="flex flex-wrap items-center gap-2 max-sm:gap-1">
          <Button
            icon={<ImageUp size={14} aria-hidden="true" />}
            busy={sending !== null}
            tabIndex={-1} // reached from the address field, so that one Tab passes a picture
            onClick={() => chooser.current?.click()}
          >
            {t('form.pictureChoose')} <Kbd keys="alt+down" />
          </Button>
          {sending !== null && (
            <Button look="ghost" onClick={stop}>
              {t('form.pictureStop')}
            </Button>
          )}
          {value !== '' && sending === null && (
            <IconButton
              tabIndex={-1}
              label={t('form.pictureRemove')}
              icon={<X size={14} aria-hidden="true" />}
              onClick={remove}
            />
          )}
          <input
            ref={chooser}
            type="file"
            accept={kinds.join(',')}
            tabIndex={-1}
            aria-hidden="true"
            className="sr-only"
            onChange={({ target }) => {
              const [file] = target.files ?? [];
              target.value = ''; // otherwise choosing the same file again has no effect
              if (file) void send(file);
            }}
          />
        </div>
        <p role="status" className="text-meta text-2">
          {sending === null
            ? `${t('form.pictureDrop')} · ${t('form.pictureKinds', { mb })}`
            : t('form.pictureSending', { name: sending.name })}
        </p>
        {refused && (
          <p id={errorId} role="alert" className="text-meta text-danger-text">
            {refused}
          </p>
        )}
      </div>
    </div>
  );
}

const reasons = {
  type: 'form.pictureType',
  size: 'form.pictureSize',
  pixels: 'form.picturePixels',
  broken: 'form.pictureBroken',
} as const;

function refusal(error: unknown): string {
  if (error instanceof ApiError && error.code === 'PICTURE_QUOTA')
    return t('errors.code.PICTURE_QUOTA', error.data as { pictures: number; megabytes: number });
  const data: unknown = error instanceof ApiError && error.code === 'PICTURE_REFUSED' ? error.data : null;
  const reason = typeof data === 'object' && data !== null && 'reason' in data ? data.reason : null;
  const known = Object.entries(reasons).find(([name]) => name === reason);
  return known ? t(known[1], { mb }) : errorText(error);
}
