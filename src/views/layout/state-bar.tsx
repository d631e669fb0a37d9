import { useStore } from '@nanostores/react';
import RefreshCw from 'lucide-react/icons/refresh-cw';
import WifiOff from 'lucide-react/icons/wifi-off';
import { atom } from 'nanostores';
import { useEffect, useRef, useState, type ReactNode } from 'react';
import { ariaKeys } from '../../commands/ui/controls/command-trigger.tsx';
import { keysOf } from '../../commands/app/keymap.ts';
import { runCommand } from '../../commands/app/app.ts';
import { formatRelative, formatTime } from '../../lib/format.ts';
import { locale, t } from '../../lib/i18n/i18n.ts';
import { $now } from '../../lib/now.ts';
import { queryClient } from '../../lib/net/query.ts';
import { $newerBuild, $unreachableSince, pingServer } from '../../lib/net/connectivity.ts';
import { Button } from '../../lib/ui/button.tsx';

const pingIntervalMs = 5_000;
const minSleepMs = 60_000;

/** Reports a missing connection with the age of the data, or a newer build. */
export function StateBar() {
  const silentSince = useStore($unreachableSince);
  const isNewer = useStore($newerBuild) !== null;
  const hasRecovered = useRecovery(silentSince !== null);
  useEffect(watchSleep, []);
  const message = silentSince !== null ? 'state.offline' : isNewer ? 'state.newer' : hasRecovered ? 'state.back' : null;
  const visibleState = useBetweenPresses(silentSince !== null ? 'offline' : isNewer ? 'newer' : null);
  return (
    <>
      <p aria-live="polite" className="sr-only" data-state-said>
        {message && t(message)}
      </p>
      {visibleState === 'offline' && <OfflineBar since={silentSince} />}
      {visibleState === 'newer' && <NewerBuildBar />}
    </>
  );
}

/** A mouse button or finger is down. */
const $pressed = atom(false);
const clearPressed = () => setTimeout(() => $pressed.set(false)); // after the click of the same press
addEventListener('pointerdown', ({ button }) => button === 0 && $pressed.set(true), true);
// A press that opens a menu, such as Control-click on a Mac, may send no pointerup.
for (const event of ['pointerup', 'pointercancel', 'contextmenu'] as const) addEventListener(event, clearPressed, true);

/** Delays changes during a press, because a moving page would miss the click. */
function useBetweenPresses<Value>(value: Value): Value {
  const isPressed = useStore($pressed);
  const [heldValue, setHeldValue] = useState(value);
  if (!isPressed && heldValue !== value) setHeldValue(value);
  return isPressed ? heldValue : value;
}

/** `since` is null if the server returned during a press. */
function OfflineBar({ since }: { since: number | null }) {
  const now = useStore($now);
  const readAt = new Date(oldestRead() ?? since ?? now).toISOString();
  const time = formatTime(readAt).slice(-5);
  // The clock ticks every ten seconds, so it may be earlier than the read.
  const until = new Date(Math.max(now.getTime(), Date.parse(readAt)));
  const isRecent = until.getTime() - Date.parse(readAt) < 60_000;
  const asOfText = isRecent
    ? t('state.asOfNow', { time })
    : t('state.asOf', { time, ago: formatRelative(readAt, until, locale()) });
  return (
    <Bar
      name="offline"
      look="bg-warn-bg text-warn-text"
      icon={<WifiOff size={16} aria-hidden="true" className="text-warn-icon" />}
    >
      <p className="min-w-0 flex-1">
        {t('state.offline')} <span className="tabular-nums">{asOfText}</span>
      </p>
      <Button onClick={() => void pingServer()}>{t('state.again')}</Button>
    </Bar>
  );
}

/** Reloads only on request, to keep unsaved work. */
function NewerBuildBar() {
  const [keys] = keysOf('panel.reload');
  return (
    <Bar
      name="newer"
      look="bg-info-bg text-info-text"
      icon={<RefreshCw size={16} aria-hidden="true" className="text-info-icon" />}
    >
      <p className="min-w-0 flex-1">{t('state.newer')}</p>
      <Button
        data-command="panel.reload"
        keys={keys}
        aria-keyshortcuts={keys && ariaKeys(keys)}
        onClick={() => runCommand({ id: 'panel.reload' }, 'button')}
      >
        {t('state.reload')}
      </Button>
    </Bar>
  );
}

function Bar({ name, look, icon, children }: { name: string; look: string; icon: ReactNode; children: ReactNode }) {
  return (
    <div data-state={name} className={`flex flex-wrap items-center gap-x-3 gap-y-1 border-b px-4 py-1 text-body ${look}`}>
      {icon}
      {children}
    </div>
  );
}

/** Milliseconds. */
function oldestRead(): number | null {
  const activeQueries = queryClient.getQueryCache().findAll({ type: 'active' });
  const times = activeQueries.map(({ state }) => state.dataUpdatedAt).filter((at) => at > 0);
  return times.length > 0 ? Math.min(...times) : null;
}

/** Polls until the server responds, then reloads visible data. True after a recovery. */
function useRecovery(isSilent: boolean): boolean {
  const [hasRecovered, setIsBack] = useState(false);
  const wasSilent = useRef(false);
  useEffect(() => {
    const pingIfVisible = () => void (document.hidden || pingServer());
    // Check the server, because the browser's network state is unreliable.
    for (const event of ['online', 'offline'] as const) addEventListener(event, pingIfVisible);
    const timer = isSilent ? setInterval(pingIfVisible, pingIntervalMs) : undefined;
    if (!isSilent && wasSilent.current) {
      setIsBack(true);
      void queryClient.invalidateQueries();
    }
    wasSilent.current = isSilent;
    return () => {
      for (const event of ['online', 'offline'] as const) removeEventListener(event, pingIfVisible);
      clearInterval(timer);
    };
  }, [isSilent]);
  return hasRecovered;
}

/** A sleeping machine fires no visibility event, so detect the gap. */
function watchSleep(): () => void {
  let lastTick = Date.now();
  const timer = setInterval(() => {
    const hasSlept = Date.now() - lastTick > minSleepMs;
    lastTick = Date.now();
    if (hasSlept && !document.hidden) void queryClient.invalidateQueries();
  }, 10_000);
  return () => clearInterval(timer);
}
