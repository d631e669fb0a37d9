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
  const [isOver, setOver] = useState(false);
  const [wrong, setWrong] = useState<string | null>(null);
  const chooser = useRef<HTMLInputElement>(null);
  const saysId = `${props.id}-says`;
  useEffect(() => {
    if (props.autoFocus) document.getElementById(props.id)?.focus(); // it rendered after the form's focus
  }, [props.autoFocus, props.id]);

  function take(files: FileList, event: { preventDefault(): void }) {
    const [file, ...more] = files;
    if (!file) return;
    event.preventDefault();
    setWrong(more.length > 0 ? t('form.fileOne') : null);
    if (more.length === 0) onChange(file);
  }
  function paste(event: ClipboardEvent) {
    if (event.clipboardData.files.length > 0) return take(event.clipboardData.files, event);
    const text = event.clipboardData.getData('text/plain');
    if (text === '') return;
    event.preventDefault();
    setWrong(null);
    onChange(text);
  }
  const chosen =
    value instanceof File
      ? t('form.fileChosen', { name: value.name, size: formatBytes(value.size) })
      : typeof value === 'string' && value !== ''
        ? t('form.filePasted', { count: value.trimEnd().split(/\r\n|\r|\n/).length })
        : null;
  // The field that was pasted into is gone, and keys would reach nothing.
  useEffect(() => {
    if (chosen !== null && document.activeElement === document.body) document.getElementById(props.id)?.focus();
  }, [chosen, props.id]);
  return (
    <div
      className={`flex flex-col gap-2 rounded-control border border-dashed p-3 ${isOver ? 'border-accent bg-layer-selected' : 'border-control'}`}
      onDragOver={(event: DragEvent) => {
        if (!event.dataTransfer.types.includes('Files')) return;
        event.preventDefault();
        setOver(true);
      }}
      onDragLeave={() => setOver(false)}
      onDrop={(event: DragEvent) => {
        setOver(false);
        take(event.dataTransfer.files, event);
      }}
      onPaste={paste}
    >
      <div className="flex flex-wrap items-center gap-2">
        <Button
          {...fieldAttributes({ ...props, required: false, describedBy: [props.describedBy, saysId].filter(Boolean).join(' ') })}
          icon={<ArrowUpFromLine size={14} aria-hidden="true" />}
          onClick={() => chooser.current?.click()}
        >
          {t('form.fileChoose')}
        </Button>
        {chosen !== null && (
          <span data-chosen className="flex min-w-0 items-center gap-1 text-body text-1">
            <span className="min-w-0 break-all">{chosen}</span>
            <IconButton
              label={t('form.fileRemove')}
              icon={<X size={14} aria-hidden="true" />}
              onClick={() => onChange(undefined)}
            />
          </span>
        )}
        <input
          ref={chooser}
          type="file"
          accept={accept}
          tabIndex={-1}
          aria-hidden="true"
          className="sr-only"
          onChange={({ target }) => {
            const [file] = target.files ?? [];
            target.value = ''; // otherwise choosing the same file again has no effect
            setWrong(null);
            if (file) onChange(file);
          }}
        />
      </div>
      {chosen === null && (
        <input
          type="text"
          aria-label={t('form.filePaste')}
          placeholder={t('form.filePaste')}
          className={lineClass}
          value=""
          onChange={({ target }) => onChange(target.value)}
        />
      )}
      <p id={saysId} className="text-meta text-2">
        {t(says)}
      </p>
      {wrong !== null && (
        <p role="alert" className="text-meta text-danger-text">
          {wrong}
        </p>
      )}
    </div>
  );
}
