import { useEffect, useId, useRef, useState } from 'react';
import { createApi } from '../../../lib/net/client.ts';
import { groupDigits } from '../../../lib/format.ts';
import { t } from '../../../lib/i18n/i18n.ts';
import { Button } from '../../../lib/ui/button.tsx';
import { RecordDiff } from '../../../lib/ui/record/record-diff.tsx';
import { ConfirmDialog, ignoreRepeats } from '../../../lib/ui/overlay/confirm-dialog.tsx';
import { ScrollBody } from '../../../lib/ui/overlay/scroll-body.tsx';
import type { ParamField } from '../../engine/fields.ts';
import type { Invocation } from '../../engine/define.ts';
import { ConfirmBody, ConsequenceList, useAnswerState, BlockedReason } from './answer-state.tsx';
import { confirmTextsOf, targetNames } from './confirm-words.ts';
import { CopyLink } from './copy-link.tsx';
import { CommandPanel } from './panel.tsx';
import { SkippedTargets } from './skipped-targets.tsx';
import type { OpenConfirm } from '../../app/open-dialogs.ts';
import { paramValueText } from './param-value-text.ts';

/** Focus starts on the safe button when it can't be undone. */
export function ReviewDialog({ open }: { open: OpenConfirm }) {
  const { title, lead, act, body, back, grave } = confirmTextsOf(open);
  const { names, more } = targetNames(open.targets);
  const confirmButton = useRef<HTMLButtonElement>(null);
  const cancelButton = useRef<HTMLButtonElement>(null);
  const reason = useId();
  const { why, block, consequences } = useAnswerState(open);
  return (
    <div role="group" aria-label={title} className="flex min-h-0 flex-col">
      <h2 className="px-5 pt-5 pb-3 text-section font-semibold">{title}</h2>
      <ScrollBody className="px-5">
        <div className="flex flex-col gap-3">
          <div className="text-2 empty:hidden">
            <ConfirmBody lead={lead} body={body} why={why} />
          </div>
          <SkippedTargets runnable={open.targets.length} skipped={open.skipped} />
          {!open.command.panel && (
            <ul>
              {names.map((name, index) => (
                <li key={index} className="border-b border-hairline py-1.5 break-words last:border-0">
                  {name}
                </li>
              ))}
              {more > 0 && <li className="py-1.5 text-2">{t('form.itemsMore', { n: groupDigits(more) })}</li>}
            </ul>
          )}
          <ReviewBody open={open} consequences={consequences} block={block} />
        </div>
      </ScrollBody>
      <div
        className="flex flex-wrap items-center justify-end gap-2 px-5 pt-3 pb-5"
        onKeyDown={(event) => moveBetween(event.key, cancelButton.current, confirmButton.current)}
      >
        {why && <BlockedReason why={why} id={reason} />}
        <Button ref={cancelButton} autoFocus={grave} onKeyDown={ignoreRepeats} onClick={() => open.answer(false)}>
          {back}
        </Button>
        <Button
          ref={confirmButton}
          autoFocus={!grave}
          look={grave ? 'danger' : 'primary'}
          aria-disabled={why !== null}
          aria-describedby={why === null ? undefined : reason}
          onKeyDown={ignoreRepeats}
          onClick={() => why === null && open.answer(true)}
        >
          {act}
        </Button>
      </div>
    </div>
  );
}

/** Arrow keys move between buttons, as in a native prompt. */
function moveBetween(key: string, cancelButton: HTMLElement | null, confirmButton: HTMLElement | null): void {
  if (key === 'ArrowLeft' || key === 'ArrowRight')
    (document.activeElement === cancelButton ? confirmButton : cancelButton)?.focus();
}

type AnswerState = ReturnType<typeof useAnswerState>;

/** What a review says below its question, in the palette and in a dialog. */
const ReviewBody = ({ open, consequences, block }: { open: OpenConfirm } & Pick<AnswerState, 'consequences' | 'block'>) => (
  <>
    <PreviewedChanges open={open} />
    <ConsequenceList {...consequences} />
    <ParamValueList open={open} />
    <CommandPanel
      name={open.command.panel}
      command={open.command.id}
      targets={open.targets}
      values={null}
      params={open.params}
      block={block}
    />
  </>
);

function PreviewedChanges({ open: { command, targets } }: { open: OpenConfirm }) {
  const changes = command.changes?.({ targets } as never);
  if (!changes) return null;
  return (
    <div className="max-h-80 overflow-y-auto rounded-control border border-hairline px-3 py-2">
      <RecordDiff {...changes} />
    </div>
  );
}

function ParamValueList({ open }: { open: OpenConfirm }) {
  const fields = Object.entries(open.command.params?.fields ?? {}).filter(([, { as }]) => as !== 'bands');
  if (fields.length === 0 || open.command.reviewNamesParams) return null;
  return (
    <dl className="grid grid-cols-[auto_1fr] gap-x-4 gap-y-1">
      {fields.map(([name, field]) => (
        <div key={name} className="contents">
          <dt className="text-2">{t(field.label)}</dt>
          <dd className="break-words">
            {field.as === 'pick' ? (
              <PickedValue field={field} value={open.params[name]} open={open} />
            ) : (
              paramValueText(field, open.params[name])
            )}
          </dd>
        </div>
      ))}
    </dl>
  );
}

function PickedValue({ field, value, open }: { field: Extract<ParamField, { as: 'pick' }>; value: unknown; open: OpenConfirm }) {
  // Undefined while the options load, null if the value isn't among them.
  const [label, setLabel] = useState<string | null>();
  const { command, targets, params } = open;
  useEffect(() => {
    const abortController = new AbortController();
    const { signal } = abortController;
    field.options({ api: createApi(command.id, null), targets, signal, values: params }).then(
      (options) => {
        if (!signal.aborted) setLabel(options.find((option) => option.value === value)?.label ?? null);
      },
      () => {
        if (!signal.aborted) setLabel(null);
      },
    );
    return () => abortController.abort();
  }, [field, value, command, targets, params]);
  return label === undefined ? '…' : (label ?? paramValueText(field, value));
}

const invocationOf = ({ command, targets, params }: OpenConfirm): Invocation => ({
  id: command.id,
  targets: targets.map(({ id }) => id),
  params,
});

export function ConfirmSurface({ open }: { open: OpenConfirm }) {
  const { title, lead, act, body, back, grave } = confirmTextsOf(open);
  const { names, more } = targetNames(open.targets);
  const reason = useId();
  const { why, block, consequences } = useAnswerState(open);
  return (
    <ConfirmDialog
      open
      blocked={why && { id: reason, says: <BlockedReason why={why} id={reason} /> }}
      title={title}
      body={(lead.length > 0 || body !== null) && <ConfirmBody lead={lead} body={body} why={why} />}
      // A panel shows all names.
      items={open.command.panel ? [] : names}
      more={more}
      wide={open.command.panel !== undefined}
      confirmLabel={act}
      cancelLabel={back}
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
      <SkippedTargets runnable={open.targets.length} skipped={open.skipped} />
      <ReviewBody open={open} consequences={consequences} block={block} />
    </ConfirmDialog>
  );
}
