import { useStore } from '@nanostores/react';
import Check from 'lucide-react/icons/check';
import { runCommand } from '../../commands/app/app.ts';
import { t } from '../../lib/i18n/i18n.ts';
import { labelText } from '../../lib/i18n/punctuation.ts';
import { $density, $theme } from '../../lib/prefs/prefs.ts';
import { densities, themes } from '../../lib/prefs/theme.ts';
import { MenuItem, MenuSeparator } from '../../lib/ui/overlay/menu.tsx';

/** Each value is one press. The command's form is for the keyboard. */
export function AppearanceItems() {
  const [theme, density] = [useStore($theme), useStore($density)];
  return (
    <>
      {themes.map((option) => (
        <Choice
          key={option}
          label={labelText(t('appearance.field.theme'), t(`appearance.theme.${option}`))}
          isChosen={option === theme}
          onChoose={() => runCommand({ id: 'theme.set', params: { theme: option } }, 'menu')}
        />
      ))}
      <MenuSeparator />
      {densities.map((option) => (
        <Choice
          key={option}
          label={labelText(t('appearance.field.density'), t(`appearance.density.${option}`))}
          isChosen={option === density}
          onChoose={() => runCommand({ id: 'density.set', params: { density: option } }, 'menu')}
        />
      ))}
    </>
  );
}

function Choice({ label, isChosen, onChoose }: { label: string; isChosen: boolean; onChoose: () => void }) {
  return (
    <MenuItem icon={<Check size={16} aria-hidden="true" className={isChosen ? '' : 'invisible'} />} onSelect={onChoose}>
      {label}
      {isChosen && <span className="sr-only">{t('shell.chosen')}</span>}
    </MenuItem>
  );
}
