import type { ReactNode } from 'react';
import { valueText } from '../../format.ts';
import { t } from '../../i18n/i18n.ts';
import { lazyComponent } from '../lazy-component.tsx';
import { ChoiceField, FlagField, MultilineField, NumberField, SecretField, TextField, UrlField } from './controls.tsx';
import { ConflictPanel } from './conflict-panel.tsx';
import type { ControlProps, FieldView, FormValues, UploadFile } from './field-view.ts';
import type { EditConflict } from './merge.ts';
import { conflictId, type ConflictSide } from './use-form.ts';
import { CodeField } from './code-field.tsx';
import { PictureField } from './picture-field.tsx';
import { TimeField } from './time-field.tsx';
import { UnitsField } from './units-field.tsx';

interface FieldProps {
  id: string;
  view: FieldView;
  value: unknown;
  values: FormValues;
  start: unknown;
  onChange: (value: unknown) => void;
  error: string | null;
  /** A concurrent change by someone else. */
  clash: EditConflict | undefined;
  onSettle: (side: ConflictSide) => void;
  upload: UploadFile | undefined;
  autoFocus: boolean;
}

export function Field({ id, view, value, values, start, onChange, error, clash, onSettle, upload, autoFocus }: FieldProps) {
  const hintId = `${id}-hint`;
  const errorId = `${id}-error`;
  const labelId = `${id}-label`;
  const describedBy = [view.hint && hintId, error !== null && errorId].filter(Boolean).join(' ') || undefined;
  const commonProps = {
    id,
    required: view.optional !== true,
    invalid: error !== null,
    describedBy,
    labelledBy: labelId,
    autoFocus,
  };
  return (
    <div className="flex flex-col gap-1" data-field={id}>
      <label id={labelId} htmlFor={id} className="self-start text-label font-medium text-1">
        {t(view.label)}
        {view.optional === true ? (
          <span className="ps-1.5 text-meta font-regular text-2">{t('form.optional')}</span>
        ) : (
          // A checkbox always has a value.
          view.as !== 'flag' && (
            <span aria-hidden="true" title={t('form.required')} className="ps-0.5 text-danger-text">
              *
            </span>
          )
        )}
      </label>
      {view.hint && (
        <p id={hintId} className="text-meta text-2">
          {t(view.hint)}
        </p>
      )}
      {view.as === 'tree' ? (
        <LazyTreeField {...commonProps} value={toList(value)} start={toList(start)} onChange={onChange} nodes={view.nodes} />
      ) : view.as === 'file' ? (
        <LazyFileField {...commonProps} value={value} onChange={onChange} says={view.says} accept={view.accept} />
      ) : view.as === 'units' ? (
        <UnitsField
          {...commonProps}
          value={valueText(value)}
          onChange={onChange}
          units={{ unit: view.unit, decimals: view.decimals }}
          range={view.range}
          values={values}
        />
      ) : (
        renderControl(view, value, values, onChange, commonProps, upload)
      )}
      {error !== null && (
        <p id={errorId} className="text-meta text-danger-text">
          {error}
        </p>
      )}
      {clash && <ConflictPanel id={conflictId(id)} view={view} mine={value} clash={clash} onSettle={onSettle} />}
    </div>
  );
}

type SharedProps = Omit<ControlProps<never>, 'value' | 'onChange'>;

function renderControl(
  view: Exclude<FieldView, { as: 'tree' | 'file' | 'units' }>,
  value: unknown,
  values: FormValues,
  onChange: (value: unknown) => void,
  sharedProps: SharedProps,
  upload: UploadFile | undefined,
): ReactNode {
  const text = { ...sharedProps, value: valueText(value), onChange };
  switch (view.as) {
    case 'text':
      return <TextField {...text} />;
    case 'number':
      return <NumberField {...text} signed={view.signed} />;
    case 'multiline':
      return <MultilineField {...text} />;
    case 'url':
      return <UrlField {...text} />;
    case 'secret':
      return <SecretField {...text} fills={view.fills} />;
    case 'code':
      return <CodeField {...text} send={view.send} />;
    case 'time':
      // A cleared optional time is null.
      return (
        <TimeField {...text} onChange={(enteredTime) => onChange(view.optional && enteredTime === '' ? null : enteredTime)} />
      );
    case 'choice':
      return <ChoiceField {...text} options={view.options.filter((option) => view.fits?.(option.value, values) ?? true)} />;
    case 'picture':
      return upload ? <PictureField {...text} upload={upload} /> : <UrlField {...text} />;
    case 'flag':
      return <FlagField {...sharedProps} value={value === true} onChange={onChange} says={view.says} />;
    case 'bands':
      return <BandsField {...text} roles={view.roles} />;
    case 'pick':
      return (
        <PickField
          {...text}
          key={view.follows === undefined ? '' : valueText(values[view.follows])}
          options={(signal) => view.options(signal, values)}
          isFollowing={view.follows !== undefined}
        />
      );
    case 'picks':
      return <PicksField {...sharedProps} value={toList(value)} onChange={onChange} options={view.options} empty={view.empty} />;
  }
}

// Fields that few forms use load from their own chunks.
const LazyTreeField = lazyComponent(() => import('./tree-field.tsx').then(({ TreeField }) => TreeField));
const LazyFileField = lazyComponent(() => import('./file-field.tsx').then(({ FileField }) => FileField));
const PickField = lazyComponent(() => import('./pick-field.tsx').then((module) => module.PickField));
const BandsField = lazyComponent(() => import('./bands-field.tsx').then((module) => module.BandsField));
const PicksField = lazyComponent(() => import('./picks-field.tsx').then((module) => module.PicksField));

const toList = (value: unknown): readonly string[] => (Array.isArray(value) ? value.map(valueText) : []);
