import ArrowUpFromLine from 'lucide-react/icons/arrow-up-from-line';
import X from 'lucide-react/icons/x';
import { useEffect, useRef, useState, type ClipboardEvent, type DragEvent } from 'react';
import { formatBytes } from '../../format.ts';
import { t, type TextKey } from '../../i18n/i18n.ts';
import { Button, IconButton } from '../button.tsx';
import { lineClass } from './line-class.ts';
import { fieldAttributes } from './field-attributes.tsx';
import type { ControlProps } from './field-view.ts';

export interface FileFieldProps extends ControlProps<unknown> {
  says: TextKey;
  accept: string;
}

/** A dropped or chosen file, or pasted text, such as rows of a spreadsheet. */
export function FileField({ value, onChange, says, accept, ...props }: FileFieldProps) {
  const [isDraggedOver, setIsDraggedOver] = useState(false);
  const [errorText, setErrorText] = useState<string | null>(null);
  const fileInput = useRef<HTMLInputElement>(null);
  const hintId = `${props.id}-says`;
  useEffect(() => {
    if (props.autoFocus) document.getElementById(props.id)?.focus(); // it rendered after the form's focus
  }, [props.autoFocus, props.id]);

  function acceptFile(files: FileList, event: { preventDefault(): void }) {
    const [file, ...otherFiles] = files;
    if (!file) return;
    event.preventDefault();
    setErrorText(otherFiles.length > 0 ? t('form.fileOne') : null);
    if (otherFiles.length === 0) onChange(file);
  }
  function onPaste(event: ClipboardEvent) {
    if (event.clipboardData.files.length > 0) return acceptFile(event.clipboardData.files, event);
    const text = event.clipboardData.getData('text/plain');
    if (text === '') return;
    event.preventDefault();
    setErrorText(null);
    onChange(text);
  }
  const chosenText =
    value instanceof File
      ? t('form.fileChosen', { name: value.name, size: formatBytes(value.size) })
      : typeof value === 'string' && value !== ''
        ? t('form.filePasted', { count: value.trimEnd().split(/\r\n|\r|\n/).length })
        : null;
  // The field that was pasted into is gone, and keys would reach nothing.
  useEffect(() => {
    if (chosenText !== null && document.activeElement === document.body) document.getElementById(props.id)?.focus();
  }, [chosenText, props.id]);
  return (
    <div
      className={`flex flex-col gap-2 rounded-control border border-dashed p-3 ${isDraggedOver ? 'border-accent bg-layer-selected' : 'border-control'}`}
      onDragOver={(event: DragEvent) => {
        if (!event.dataTransfer.types.includes('Files')) return;
        event.preventDefault();
        setIsDraggedOver(true);
      }}
      onDragLeave={() => setIsDraggedOver(false)}
      onDrop={(event: DragEvent) => {
        setIsDraggedOver(false);
        acceptFile(event.dataTransfer.files, event);
      }}
      onPaste={onPaste}
    >
      <div className="flex flex-wrap items-center gap-2">
        <Button
          {...fieldAttributes({ ...props, required: false, describedBy: [props.describedBy, hintId].filter(Boolean).join(' ') })}
          icon={<ArrowUpFromLine size={14} aria-hidden="true" />}
          onClick={() => fileInput.current?.click()}
        >
          {t('form.fileChoose')}
        </Button>
        {chosenText !== null && (
          <span data-chosen className="flex min-w-0 items-center gap-1 text-body text-1">
            <span className="min-w-0 break-all">{chosenText}</span>
            <IconButton
              label={t('form.fileRemove')}
              icon={<X size={14} aria-hidden="true" />}
              onClick={() => onChange(undefined)}
            />
          </span>
        )}
        <input
          ref={fileInput}
          type="file"
          accept={accept}
          tabIndex={-1}
          aria-hidden="true"
          className="sr-only"
          onChange={({ target }) => {
            const [file] = target.files ?? [];
            target.value = ''; // otherwise choosing the same file again has no effect
            setErrorText(null);
            if (file) onChange(file);
          }}
        />
      </div>
      {chosenText === null && (
        <input
          type="text"
          aria-label={t('form.filePaste')}
          placeholder={t('form.filePaste')}
          className={lineClass}
          value=""
          onChange={({ target }) => onChange(target.value)}
        />
      )}
      <p id={hintId} className="text-meta text-2">
        {t(says)}
      </p>
      {errorText !== null && (
        <p role="alert" className="text-meta text-danger-text">
          {errorText}
        </p>
      )}
    </div>
  );
}
