import { flattenMenu } from '../../../../api/menu.ts';
import { pickLocaleName, t } from '../../../lib/i18n/i18n.ts';
import { joinList } from '../../../lib/i18n/punctuation.ts';
import type { Target } from '../../../lib/scope.ts';
import type { IconName } from '../../../lib/ui/icon.tsx';
import { registry } from '../../app/registry.ts';
import { macroStepsText } from './macro-rows.tsx';
import type { Choice } from './choice.ts';
import type { CommandRow } from './rows.ts';
import { recordNoteOf } from './search/searchers.ts';

const screensByPath = new Map<string, Parameters<typeof pickLocaleName>[0]>(flattenMenu().map((node) => [node.path, node]));

export function screenName(screenPath: string): string {
  const screen = screensByPath.get(screenPath);
  return screen ? pickLocaleName(screen) : '';
}

export const iconOf = (screenPath: string): IconName =>
  registry.all.find(({ id, permission }) => id.startsWith('go.') && permission === screenPath)?.icon ?? 'book-open';

const maxNames = 3;

/** Target, questions, and whether it can be undone. */
export function PalettePreview({ choice, aimed }: { choice: Exclude<Choice, { kind: 'filter' }>; aimed: readonly Target[] }) {
  const previewParts =
    choice.kind === 'record'
      ? [choice.name, choice.target && recordNoteOf(choice.target)]
      : choice.kind === 'macro'
        ? [macroStepsText(choice.macro)]
        : choice.kind === 'view'
          ? [choice.view.name]
          : choice.kind === 'help'
            ? [choice.help.page, choice.help.title]
            : partsOf(choice, aimed);
  return (
    <p
      data-preview
      className="min-h-8 border-t border-hairline px-4 py-1.5 text-meta break-words text-2 max-md:hidden touch:hidden"
    >
      <span className="line-clamp-2">{previewParts.filter(Boolean).join(' · ')}</span>
    </p>
  );
}

function partsOf({ command, blocked }: CommandRow, aimedTargets: readonly Target[]): string[] {
  if (blocked) return [t(blocked.reason, blocked.values)];
  const fields = Object.values(command.params?.fields ?? {}).map(({ label }) => t(label));
  const isDangerous = command.danger === 'irreversible' || command.danger === 'money';
  return [
    ...(command.target.kind === 'none' ? [] : [t('finder.preview.on', { names: namesOf(aimedTargets) })]),
    ...(fields.length > 0 ? [t('finder.preview.params', { fields: joinList(fields) })] : []),
    ...(command.confirm && !isDangerous ? [t('finder.preview.asks')] : []),
    t(`finder.preview.danger.${command.danger}`),
  ];
}

function namesOf(targets: readonly Target[]): string {
  const names = joinList(targets.slice(0, maxNames).map(({ name }) => name));
  return targets.length > maxNames ? t('finder.preview.more', { names, count: targets.length }) : names;
}
