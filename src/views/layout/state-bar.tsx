import { useStore } from '@nanostores/react';
import RefreshCw from 'lucide-react/icons/refresh-cw';
import WifiOff from 'lucide-react/icons/wifi-off';
import { atom } from 'nanostores';
import { useEffect, useRef, useState, type ReactNode } from 'react';
import { ariaKeys } from '../../commands/ui/controls/run.tsx';
import { keysOf } from '../../commands/app/keymap.ts';
import { run } from '../../commands/app/app.ts';
import { formatRelative, formatTime } from '../../lib/format.ts';
import { locale, t } from '../../lib/i18n/i18n.ts';
import { $now } from '../../lib/now.ts';
import { queryClient } from '../../lib/net/query.ts';
import { $newerBuild, $silentSince, ask } from '../../lib/net/connectivity.ts';
import { Button } from '../../lib/ui/button.tsx';

const askEveryMs = 5_000;
const sleptMs = 60_000;

/** Says above every screen that the server does not answer, and how old what stands below is; or that a newer build is there. */
export function StateBar() {
  const since = useStore($silentSince);
  const isNewer = useStore($newerBuild) !== null;
  const isBack = useRecovery(since !== null);
  useEffect(watchSleep, []);
  const said = since !== null ? 'state.offline' : isNewer ? 'state.newer' : isBack ? 'state.back' : null;
  const seen = useBetweenPresses(since !== null ? 'offline' : isNewer ? 'newer' : null);
  return (
    <>
      <p aria-live="polite" className="sr-only" data-state-said>
        {said && t(said)}
      </p>
      {seen === 'offline' && <Offline since={since} />}
      {seen === 'newer' && <Newer />}
    </>
  );
}

/** Whether a button of the mouse or a finger is down. */
const $pressed = atom(false);
const whenReleased = () => setTimeout(() => $pressed.set(false)); // the click that it ends with comes first
addEventListener('pointerdown', ({ button }) => button === 0 && $pressed.set(true), true);
// Where a press opens a menu, as with Control on a Mac, its end may never come.
for (const event of ['pointerup', 'pointercancel', 'contextmenu'] as const) addEventListener(event, whenReleased, true);

/** The value as it was when the press that is under way began: the page that a bar moves would take the click from under it. */
function useBetweenPresses<Value>(value: Value): Value {
  const isPressed = useStore($pressed);
  const [kept, setKept] = useState(value);
  if (!isPressed && kept !== value) setKept(value);
  return isPressed ? kept : value;
}

/** `since` is none where the server came back under a press. */
function Offline({ since }: { since: number | null }) {
  const now = useStore($now);
  const read = new Date(oldestRead() ?? since ?? now).toISOString();
  const time = formatTime(read).slice(-5);
  // The clock ticks every ten seconds, and may stand a little before what was read since.
  const ago = formatRelative(read, new Date(Math.max(now.getTime(), Date.parse(read))), locale());
  return (
    <Bar
      name="offline"
      look="bg-warn-bg text-warn-text"
      icon={<WifiOff size={16} aria-hidden="true" className="text-warn-icon" />}
    >
      <p className="min-w-0 flex-1">
        {t('state.offline')} <span className="tabular-nums">{t('state.asOf', { time, ago })}</span>
      </p>
      <Button onClick={() => void ask()}>{t('state.again')}</Button>
    </Bar>
  );
}

/** Reloads only when somebody says so: here nothing tells what they are in the middle of. */
function Newer() {
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
        onClick={() => run({ id: 'panel.reload' }, 'button')}
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

/** When the oldest of what stands on screen was read, milliseconds. */
function oldestRead(): number | null {
  const read = queryClient.getQueryCache().findAll({ type: 'active' });
  const times = read.map(({ state }) => state.dataUpdatedAt).filter((at) => at > 0);
  return times.length > 0 ? Math.min(...times) : null;
}

/** Asks until the server answers again, then reads anew what is on screen. True once it has come back. */
function useRecovery(isSilent: boolean): boolean {
  const [isBack, setBack] = useState(false);
  const was = useRef(false);
  useEffect(() => {
    const look = () => void (document.hidden || ask());
    // A browser's word about its connection is a reason to ask, not an answer.
    for (const event of ['online', 'offline'] as const) addEventListener(event, look);
    const timer = isSilent ? setInterval(look, askEveryMs) : undefined;
    if (!isSilent && was.current) {
      setBack(true);
      void queryClient.invalidateQueries();
    }
    was.current = isSilent;
    return () => {
      for (const event of ['online', 'offline'] as const) removeEventListener(event, look);
      clearInterval(timer);
    };
  }, [isSilent]);
  return isBack;
}

/** A machine that slept stands still without the page ever being hidden: what it shows is as old as the sleep was long. */
function watchSleep(): () => void {
  let last = Date.now();
  const timer = setInterval(() => {
    const slept = Date.now() - last > sleptMs;
    last = Date.now();
    if (slept && !document.hidden) void queryClient.invalidateQueries();
  }, 10_000);
  return () => clearInterval(timer);
}
