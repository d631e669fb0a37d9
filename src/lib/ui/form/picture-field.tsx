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
import type { ControlProps, UploadFile } from './field-view.ts';

interface PictureFieldProps extends ControlProps<string> {
  upload: UploadFile;
}

const kinds = ['image/jpeg', 'image/png', 'image/webp'];
const debounceMs = 300;
const maxMegabytes = pictureLimit.bytes / 1024 / 1024;

/** A typed address, or the server's address of a dropped, pasted or chosen picture. */
export function PictureField({ upload, ...props }: PictureFieldProps) {
  const { value, onChange, id } = props;
  const [pendingUpload, setPendingUpload] = useState<{ name: string; stop: AbortController } | null>(null);
  const [errorText, setErrorText] = useState<string | null>(null);
  const [isDraggedOver, setIsDraggedOver] = useState(false);
  // Shown once typing pauses, so that not every letter requests a picture.
  const [previousValue, setPreviousValue] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setPreviousValue(value), debounceMs);
    return () => clearTimeout(timer);
  }, [value]);
  const fileInput = useRef<HTMLInputElement>(null);
  const latestUpload = useRef<AbortController>(null);
  useEffect(() => () => latestUpload.current?.abort(), []);

  async function sendFile(file: File) {
    const formatError = !kinds.includes(file.type)
      ? t('form.pictureType')
      : file.size > pictureLimit.bytes
        ? t('form.pictureSize', { mb: maxMegabytes })
        : null;
    setErrorText(formatError);
    if (formatError !== null) return;
    latestUpload.current?.abort();
    const uploadController = new AbortController();
    latestUpload.current = uploadController;
    setPendingUpload({ name: file.name, stop: uploadController });
    try {
      const { url } = await upload(file, uploadController.signal);
      if (!uploadController.signal.aborted) onChange(url);
    } catch (error) {
      if (!uploadController.signal.aborted) setErrorText(refusalText(error));
    } finally {
      if (latestUpload.current === uploadController) setPendingUpload(null);
    }
  }
  function acceptFile(files: FileList, event: { preventDefault(): void }) {
    const [file] = files;
    if (!file) return;
    event.preventDefault();
    void sendFile(file);
  }
  function cancelUpload() {
    pendingUpload?.stop.abort();
    setPendingUpload(null);
  }
  /** The button disappears with the picture, so move the focus. */
  function removePicture() {
    onChange('');
    document.getElementById(id)?.focus();
  }
  const errorId = `${id}-refused`;
  const describedBy = [props.describedBy, errorText ? errorId : undefined].filter(Boolean).join(' ') || undefined;
  return (
    <div
      className={`flex items-start gap-3 rounded-control border border-dashed p-2 ${isDraggedOver ? 'border-accent bg-layer-selected' : 'border-control'}`}
      onDragOver={(event) => {
        if (!event.dataTransfer.types.includes('Files')) return;
        event.preventDefault();
        setIsDraggedOver(true);
      }}
      onDragLeave={() => setIsDraggedOver(false)}
      onDrop={(event: DragEvent) => {
        setIsDraggedOver(false);
        acceptFile(event.dataTransfer.files, event);
      }}
      onPaste={(event: ClipboardEvent) => acceptFile(event.clipboardData.files, event)}
    >
      <SafeImage
        src={parseHttpUrl(previousValue)}
        alt={value === '' ? t('value.noPicture') : t('form.picturePreview')}
        className="h-20 w-28 max-sm:h-14 max-sm:w-20"
        fit="contain"
      />
      <div className="flex min-w-0 flex-1 flex-col gap-1.5">
        <input
          {...fieldAttributes({ ...props, describedBy, invalid: props.invalid || errorText !== null })}
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
            fileInput.current?.click();
          }}
          onChange={({ target }) => {
            setErrorText(null);
            onChange(target.value);
          }}
        />
        <div className="flex flex-wrap items-center gap-2 max-sm:gap-1">
          <Button
            icon={<ImageUp size={14} aria-hidden="true" />}
            busy={pendingUpload !== null}
            tabIndex={-1} // reached from the address field, so that one Tab passes a picture
            onClick={() => fileInput.current?.click()}
          >
            {t('form.pictureChoose')} <Kbd keys="alt+down" />
          </Button>
          {pendingUpload !== null && (
            <Button look="ghost" onClick={cancelUpload}>
              {t('form.pictureStop')}
            </Button>
          )}
          {value !== '' && pendingUpload === null && (
            <IconButton
              tabIndex={-1}
              label={t('form.pictureRemove')}
              icon={<X size={14} aria-hidden="true" />}
              onClick={removePicture}
            />
          )}
          <input
            ref={fileInput}
            type="file"
            accept={kinds.join(',')}
            tabIndex={-1}
            aria-hidden="true"
            className="sr-only"
            onChange={({ target }) => {
              const [file] = target.files ?? [];
              target.value = ''; // otherwise choosing the same file again has no effect
              if (file) void sendFile(file);
            }}
          />
        </div>
        <p role="status" className="text-meta text-2">
          {pendingUpload === null
            ? `${t('form.pictureDrop')} · ${t('form.pictureKinds', { mb: maxMegabytes })}`
            : t('form.pictureSending', { name: pendingUpload.name })}
        </p>
        {errorText && (
          <p id={errorId} role="alert" className="text-meta text-danger-text">
            {errorText}
          </p>
        )}
      </div>
    </div>
  );
}

const textsByReason = {
  type: 'form.pictureType',
  size: 'form.pictureSize',
  pixels: 'form.picturePixels',
  broken: 'form.pictureBroken',
} as const;

function refusalText(error: unknown): string {
  if (error instanceof ApiError && error.code === 'PICTURE_QUOTA')
    return t('errors.code.PICTURE_QUOTA', error.data as { pictures: number; megabytes: number });
  const data: unknown = error instanceof ApiError && error.code === 'PICTURE_REFUSED' ? error.data : null;
  const reason = typeof data === 'object' && data !== null && 'reason' in data ? data.reason : null;
  const knownReason = Object.entries(textsByReason).find(([name]) => name === reason);
  return knownReason ? t(knownReason[1], { mb: maxMegabytes }) : errorText(error);
}
