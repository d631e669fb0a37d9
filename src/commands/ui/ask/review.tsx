import { useEffect, useRef, useState } from 'react';
import { apiFor } from '../../../lib/net/client.ts';
import { errorText } from '../../../lib/net/errors.ts';
import { groupDigits } from '../../../lib/format.ts';
import { t } from '../../../lib/i18n/i18n.ts';
import { Button } from '../../../lib/ui/button.tsx';
import { RecordDiff } from '../../../lib/ui/record/record-diff.tsx';
import { ConfirmDialog, refuseHeld } from '../../../lib/ui/overlay/confirm-dialog.tsx';
import { Skeleton } from '../../../lib/ui/skeleton.tsx';
import type { Field } from '../../engine/fields.ts';
import type { Invocation } from '../../engine/define.ts';
import { askOf, namesOf } from './ask.ts';
import { CopyLink } from './copy-link.tsx';
import { Panel } from './panel.tsx';
import { Part } from './part.tsx';
import type { OpenConfirm } from '../../app/questions.ts';
import { valueWords } from './value-words.ts';

/** What is about to happen, every target by name and every value in full. As a page of the palette; focus starts on Cancel when it is grave. */
export function Review({ open }: { open: OpenConfirm }) {
  const { title, act, body, grave } = askOf(open);
  const { names, more } = namesOf(open.targets);
  const confirm = useRef<HTMLButtonElement>(null);
  const cancel = useRef<HTMLButtonElement>(null);
  const [against, block] = useState(vouched(open));
  const consequences = useConsequences(open);
  const blocked = against ?? consequences.why;
  return (
    <div role="group" aria-label={title} className="flex min-h-0 flex-col gap-3 p-5">
      <h2 className="text-section font-semibold">{title}</h2>
      <div className="flex min-h-0 flex-col gap-3 overflow-y-auto *:shrink-0">
        {body && <p className="text-2">{body}</p>}
        <Part fit={open.targets.length} left={open.left} />
        {!open.command.panel && (
          <ul>
            {names.map((name, at) => (
              <li key={at} className="border-b border-hairline py-1.5 break-words last:border-0">
                {name}
              </li>
            ))}
            {more > 0 && <li className="py-1.5 text-2">{t('form.itemsMore', { n: groupDigits(more) })}</li>}
          </ul>
        )}
        <Changes open={open} />
        <Values open={open} />
        <Panel
          name={open.command.panel}
          command={open.command.id}
          targets={open.targets}
          values={null}
          params={open.params}
          block={block}
        />
        <Consequences {...consequences} />
      </div>
      {blocked !== null && (
        <p role="status" className="text-end text-2">
          {blocked}
        </p>
      )}
      <div className="flex justify-end gap-2" onKeyDown={(event) => moveBetween(event.key, cancel.current, confirm.current)}>
        <Button ref={cancel} autoFocus={grave} onKeyDown={refuseHeld} onClick={() => open.answer(false)}>
          {t('common.cancel')}
        </Button>
        <Button
          ref={confirm}
          autoFocus={!grave}
          look={grave ? 'danger' : 'primary'}
          aria-disabled={blocked !== null}
          onKeyDown={refuseHeld}
          onClick={() => blocked === null && open.answer(true)}
        >
          {act}
        </Button>
      </div>
    </div>
  );
}

/** Until the panel has spoken, what needs its word waits. */
const vouched = ({ command }: OpenConfirm): string | null => (command.vouched ? t('form.reviewWaits') : null);

/** Arrows reach the other button, as they do in a native prompt. */
function moveBetween(key: string, cancel: HTMLElement | null, confirm: HTMLElement | null): void {
  if (key === 'ArrowLeft' || key === 'ArrowRight') (document.activeElement === cancel ? confirm : cancel)?.focus();
}

/** What becomes of the record, for a command that can say so. */
function Changes({ open: { command, targets } }: { open: OpenConfirm }) {
  const changes = command.changes?.({ targets } as never);
  if (!changes) return null;
  return (
    <div className="max-h-80 overflow-y-auto rounded-control border border-hairline px-3 py-2">
      <RecordDiff {...changes} />
    </div>
  );
}

function Values({ open }: { open: OpenConfirm }) {
  const fields = Object.entries(open.command.params?.fields ?? {});
  if (fields.length === 0) return null;
  return (
    <dl className="grid grid-cols-[auto_1fr] gap-x-4 gap-y-1">
      {fields.map(([name, field]) => (
        <div key={name} className="contents">
          <dt className="text-2">{t(field.label)}</dt>
          <dd className="break-words">
            {field.as === 'pick' ? (
              <Picked field={field} value={open.params[name]} open={open} />
            ) : (
              valueWords(field, open.params[name])
            )}
          </dd>
        </div>
      ))}
    </dl>
  );
}

/** What was picked, by its name as soon as that is known. */
function Picked({ field, value, open }: { field: Extract<Field, { as: 'pick' }>; value: unknown; open: OpenConfirm }) {
  const [label, setLabel] = useState<string | null>(null);
  const { command, targets } = open;
  useEffect(() => {
    const asked = new AbortController();
    const { signal } = asked;
    field.options({ api: apiFor(command.id, null), targets, signal }).then(
      (options) => {
        if (!signal.aborted) setLabel(options.find((option) => option.value === value)?.label ?? null);
      },
      () => {}, // the value itself stands there
    );
    return () => asked.abort();
  }, [field, value, command, targets]);
  return label ?? valueWords(field, value);
}

interface Reading {
  isAsked: boolean;
  lines: readonly string[] | null;
  error: unknown;
  again: () => void;
  /** Why it cannot be answered with yes yet: nobody agrees to money before all of what goes with it stands there. */
  why: string | null;
}

/** What goes with it, read while the question stands. */
function useConsequences(open: OpenConfirm): Reading {
  const { command, targets, params } = open;
  const [read, setRead] = useState<{ of: OpenConfirm; lines?: readonly string[]; error?: unknown } | null>(null);
  const [tries, setTries] = useState(0);
  useEffect(() => {
    let isCurrent = true;
    command.consequences?.({ api: apiFor(command.id, null), targets: targets as readonly never[], params: params as never }).then(
      (lines) => isCurrent && setRead({ of: open, lines }),
      (error: unknown) => isCurrent && setRead({ of: open, error: error ?? new Error('unread') }),
    );
    return () => {
      isCurrent = false;
    };
  }, [open, command, targets, params, tries]);
  const { lines = null, error = null } = read?.of === open ? read : {};
  const isAsked = command.consequences !== undefined;
  const isAwaited = isAsked && command.danger === 'money' && lines === null;
  const again = () => {
    setRead(null);
    setTries(tries + 1);
  };
  return { isAsked, lines, error, again, why: isAwaited ? (error === null ? t('form.reviewWaits') : errorText(error)) : null };
}

function Consequences({ isAsked, lines, error, again }: Reading) {
  const place = useRef<HTMLDivElement>(null);
  if (!isAsked) return null;
  const retry = () => {
    place.current?.focus(); // the button goes: from here Tab leads to the answers
    again();
  };
  return (
    <div ref={place} tabIndex={-1} className="outline-none">
      {error !== null ? (
        // As `Unread` has it; with that, what the pages load is parted another way, and weighs more.
        <p role="alert" className="flex flex-wrap items-center gap-x-3 gap-y-1 text-body text-2">
          {errorText(error)}
          <Button onClick={retry}>{t('common.retry')}</Button>
        </p>
      ) : lines === null ? (
        <Skeleton lines={2} />
      ) : (
        <ul data-consequences className="max-h-60 overflow-y-auto py-2 text-body text-1">
          {lines.map((line) => (
            <li key={line} className="py-0.5 break-words">
              {line}
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}

const invocationOf = ({ command, targets, params }: OpenConfirm): Invocation => ({
  id: command.id,
  targets: targets.map(({ id }) => id),
  params,
});

/** The same question as a dialog, for every source but the palette. */
export function ConfirmSurface({ open }: { open: OpenConfirm }) {
  const { title, act, body, grave } = askOf(open);
  const { names, more } = namesOf(open.targets);
  const [against, block] = useState(vouched(open));
  const consequences = useConsequences(open);
  return (
    <ConfirmDialog
      open
      blocked={against ?? consequences.why}
      title={title}
      body={body}
      // A panel says all of it in full.
      items={open.command.panel ? [] : names}
      more={more}
      wide={open.command.panel !== undefined}
      confirmLabel={act}
      danger={grave}
      onConfirm={() => open.answer(true)}
      onCancel={() => open.answer(false)}
      extra={
        <span className="me-auto">
          <CopyLink of={() => invocationOf(open)} />
        </span>
      }
    >
      {open.source === 'link' && <p className="text-2">{t('history.link.asked')}</p>}
      <Part fit={open.targets.length} left={open.left} />
      <Changes open={open} />
      <Values open={open} />
      <Panel
        name={open.command.panel}
        command={open.command.id}
        targets={open.targets}
        values={null}
        params={open.params}
        block={block}
      />
      <Consequences {...consequences} />
    </ConfirmDialog>
  );
}
