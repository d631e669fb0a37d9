import { Dialog, DialogBackdrop, DialogPanel } from '@headlessui/react';
import { useStore } from '@nanostores/react';
import { useCallback, useEffect, useMemo, useState, type KeyboardEvent } from 'react';
import { useLocation } from 'wouter';
import type { CommandId } from '../../../api/names.ts';
import { flatMenu } from '../../../api/routes.ts';
import { inLocale, locale, t } from '../../lib/i18n/i18n.ts';
import { nameOf } from '../../lib/i18n/name-of.ts';
import type { Target } from '../../lib/scope.ts';
import { addIcons, Icon } from '../../lib/ui/icon.tsx';
import { isMac } from '../../lib/ui/key-text.ts';
import { moreIcons } from '../../lib/ui/more-icons.ts';
import { registry } from '../all.ts';
import { judge } from '../app.ts';
import { dispatch } from '../dispatcher.ts';
import type { AnyCommand } from '../core/define.ts';
import { isStroke, type Stroke } from '../core/keys.ts';
import { aimText } from '../surfaces/ask.ts';
import { $confirm, $palette, $question, asksInPalette } from '../surfaces/questions.ts';
import { Review } from '../surfaces/review.tsx';
import { PaletteList, type PaletteRow } from './list.tsx';
import { Chip, Footer, Keys, Marked } from './parts.tsx';
import { useRecords } from './records.ts';
import { commandRows, mostRows } from './rows.ts';
import { Step } from './step.tsx';
import { noteUse, weightOf } from './uses.ts';

/** The command palette: kept mounted, so that it opens at once. */
export function Palette() {
  const open = useStore($palette);
  const question = useStore($question);
  const confirm = useStore($confirm);
  const [query, setQuery] = useState(''); // kept here, so that it is there again after a step back
  const step = question && asksInPalette(question.question) ? question : null;
  const review = confirm && asksInPalette(confirm) ? confirm : null;

  const close = useCallback(() => {
    step?.answer(null);
    review?.answer(false);
    $palette.set(null);
  }, [step, review]);

  useEffect(() => {
    if (!open) setQuery('');
  }, [open]);

  return (
    <Dialog open={open !== null} onClose={close} unmount={false} className="fixed inset-0 z-50" aria-label={t('palette.title')}>
      <DialogBackdrop className="fixed inset-0 bg-scrim" />
      <div className="fixed inset-0 flex items-start justify-center p-3 pt-[12vh] max-md:items-end max-md:p-0">
        <DialogPanel
          data-palette
          className="flex max-h-[76vh] w-160 max-w-full flex-col overflow-hidden rounded-dialog bg-overlay shadow-dialog max-md:w-full max-md:rounded-b-none"
        >
          {open && !review && !step && <Root targets={open.targets} query={query} setQuery={setQuery} close={close} />}
          {open && step && !review && <Step key={step.question.command.id} open={step} />}
          {open && review && <Review open={review} />}
        </DialogPanel>
      </div>
    </Dialog>
  );
}

addIcons(moreIcons);

const toggleStroke: Stroke = { mod: true, ctrl: false, alt: false, shift: false, key: 'k' };

/** Where a command belongs, in words: the screen it stands on. */
const whereOf = ({ place }: AnyCommand): string => {
  const node = flatMenu().find(({ path }) => path === place);
  return node ? inLocale(node) : '';
};

interface RootProps {
  targets: readonly Target[];
  query: string;
  setQuery: (query: string) => void;
  close: () => void;
}

function Root({ targets, query, setQuery, close }: RootProps) {
  const [dropped, setDropped] = useState(false);
  const [path] = useLocation();
  const aimed = useMemo(() => (dropped ? [] : targets), [dropped, targets]);
  const shown = locale() === 'zh-CN' ? 'zh' : 'en';
  const mayOpen = useCallback((id: CommandId) => {
    const command = registry.get(id);
    return command !== undefined && judge(command, []).state !== 'hidden';
  }, []);
  const records = useRecords(query, mayOpen);

  const commands = useMemo(
    () =>
      commandRows({
        commands: registry.all,
        query,
        shown,
        path,
        targets: aimed,
        judge: (command) => judge(command, aimed),
        weight: weightOf,
      }),
    [query, shown, path, aimed],
  );
  const rows: PaletteRow[] = [
    ...commands.map(({ command, marks, group, blocked }) => ({
      value: command.id,
      ...(group ? { group: t(group) } : {}),
      content: (
        <>
          <Icon name={command.icon} className={blocked ? 'text-3' : 'text-2'} />
          <span className={`truncate ${blocked ? 'text-2' : ''}`}>
            <Marked text={nameOf(command.id)} marks={marks} />
          </span>
          <span className="min-w-0 grow truncate text-meta text-2">
            {blocked ? t(blocked.reason, blocked.values) : whereOf(command)}
          </span>
          <Keys id={command.id} />
        </>
      ),
    })),
    ...records.map(({ target }) => ({
      value: `${target.entity}:${target.id}`,
      group: t('palette.group.records'),
      content: (
        <>
          <Icon name="newspaper" className="text-2" />
          <span className="min-w-0 grow truncate">{target.name}</span>
        </>
      ),
    })),
  ].slice(0, mostRows);

  const choose = (value: string) => {
    const record = records.find(({ target }) => `${target.entity}:${target.id}` === value);
    if (record) {
      close();
      void dispatch({ id: record.open }, 'palette', [record.target]);
      return;
    }
    const command = registry.get(value);
    if (!command) return;
    void pick(command, aimed, close);
  };

  const onKeyDown = (event: KeyboardEvent<HTMLInputElement>) => {
    if (event.key === 'Escape' && query !== '') {
      event.preventDefault();
      event.stopPropagation();
      setQuery('');
    } else if (event.key === 'Backspace' && query === '' && !event.repeat) setDropped(true);
    else if (isStroke(event.nativeEvent, toggleStroke, isMac())) {
      event.preventDefault();
      close();
    }
  };

  return (
    <>
      <PaletteList
        label={t('palette.title')}
        query={query}
        onQuery={setQuery}
        placeholder={t('palette.placeholder')}
        rows={rows}
        onSelect={choose}
        onKeyDown={onKeyDown}
        empty={t('palette.empty')}
        chips={aimed.length > 0 && <Chip text={aimText(aimed)} />}
      />
      <Footer />
    </>
  );
}

/** Runs the picked command. The palette stays while it asks something of its own; else it goes first. */
async function pick(command: AnyCommand, targets: readonly Target[], close: () => void): Promise<void> {
  noteUse(command.id);
  const isGrave = command.confirm === true || command.danger === 'irreversible' || command.danger === 'money';
  const asks =
    judge(command, targets).state === 'ok' &&
    asksInPalette({ command, source: 'palette' }) &&
    (command.params !== null || isGrave);
  if (!asks) close();
  const opened = $palette.get();
  const outcome = dispatch({ id: command.id }, 'palette', targets);
  if (!asks) return;
  const { status } = await outcome;
  if (status === 'cancelled' && staysFor(command)) return; // one step back, to the list
  if ($palette.get() === opened) $palette.set(null);
}

const staysFor = (command: AnyCommand): boolean => command.params !== null && asksInPalette({ command, source: 'palette' });
